import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { TextPart, ToolState, UserMessage, WireEvent } from "../../../../schemas/index.js";
import { Screen } from "../../../../src/cli/terminal/screen.js";
import { TerminalView } from "../../../../src/cli/terminal/terminal-view.js";
import { permission } from "../../adapters/shared/draft.js";
import { delta, message, partUpdated, sessionCreated, status, text, tool } from "../../server/events.js";

const P = { id: "prt_1" };
const CHILD = { id: "prt_c", messageID: "msg_c", sessionID: "ses_2" };
const time = { start: 1 };

function shown(...events: WireEvent[]): string {
  const out = new PassThrough();
  const view = new TerminalView(new Screen(out));
  for (const event of events) view.show(event);
  return String(out.read() ?? "");
}

function state(state: ToolState, at: Parameters<typeof tool>[0] = { id: "prt_t" }): WireEvent {
  return partUpdated({ ...tool(at, ""), state });
}

const running: ToolState = { status: "running", input: {}, title: "run it", time };
const blocked: ToolState = { ...running, status: "blocked", block: permission("a") };
const completed: ToolState = {
  status: "completed",
  input: {},
  title: "run it",
  output: "out\n",
  metadata: {},
  time: { start: 1, end: 2 },
};

test("text is shown as it streams, and its end once", () => {
  const events = [partUpdated(text(P)), delta(P, 0, "one "), delta(P, 4, "two"), partUpdated(text(P, "one two", true))];
  expect(shown(...events)).toBe("one two\n");
  expect(shown(...events, ...events)).toBe("one two\n");
});

test("a text that did not stream is shown whole", () => {
  expect(shown(partUpdated(text(P, "all", true)))).toBe("all\n");
});

test("whoever joins a text in the middle sees what was said before, and nothing twice", () => {
  const joined = [partUpdated(text(P, "one ")), delta(P, 2, "e two"), partUpdated(text(P, "one two!", true))];
  expect(shown(...joined)).toBe("one two!\n");
});

test("two texts that stream at once do not share a line", () => {
  const Q = { id: "prt_2" };
  expect(shown(delta(P, 0, "one"), delta(Q, 0, "other"), delta(P, 3, " two"))).toBe("one\nother\n two");
});

test("what a person said is marked, and shown once", () => {
  const info = { id: "msg_u", sessionID: "ses_1", role: "user" } as UserMessage;
  const part: TextPart = { ...text({ id: "prt_u", messageID: "msg_u" }), text: "fix it" };
  const said: WireEvent = { type: "message.updated", properties: { sessionID: "ses_1", info } };
  expect(shown(said, partUpdated(part), partUpdated(part))).toBe("> fix it\n");
});

test("a tool is shown by each thing it does, and no more when it is over", () => {
  const story = [state(running), state(blocked), state(running), state(completed)];
  const lines = ["▸ run it", "? run it needs permission", "✓ run it", "  out", ""];
  expect(shown(...story).split("\n")).toEqual(lines);
  expect(shown(...story, ...story).split("\n")).toEqual(lines);
});

test("what a subagent says is shown when it was said, apart from what its parent says", () => {
  const events = [
    sessionCreated("ses_2", "ses_1"),
    message("msg_c", "ses_2"),
    delta(P, 0, "Wait"),
    delta(CHILD, 0, "look"),
    delta(P, 4, "ing"),
    partUpdated({ ...text(CHILD, "looked\naround", true) }),
    state(running, { ...CHILD, id: "prt_ct" }),
    partUpdated(text(P, "Waiting.", true)),
  ];
  expect(shown(...events)).toBe("Waiting\n  ┆ looked\n  ┆ around\n  ┆ ▸ run it\n.\n");
});

test("failures and retries are lines of their own", () => {
  const failed: WireEvent = {
    type: "session.error",
    properties: { sessionID: "ses_1", error: { name: "auth", message: "no key", retryable: false } },
  };
  const retry: WireEvent = {
    type: "session.status",
    properties: { sessionID: "ses_1", status: { type: "retry", attempt: 1, message: "overloaded", next: 2 } },
  };
  expect(shown(delta(P, 0, "half"), failed, retry, status("idle"))).toBe("half\n✗ no key\nretrying: overloaded\n");
});

test("an agent cannot write anything but text", () => {
  const evil = "\u001b[31mred\u001b[2J\u001b]52;c;aGk=\u0007 \u001b]0;title\u001b\\ok\r\u0000\u202e!";
  expect(shown(delta(P, 0, evil))).toBe("red ok!");
  expect(shown(delta(P, 0, "a\u001b"), delta(P, 2, "[2Jb"))).toBe("a[2Jb");
  expect(shown(state({ ...running, title: "rm\u001b[8m -rf\u001b[0m" }))).toBe("▸ rm -rf\n");
  expect(shown(state({ ...completed, output: "a\tb\u009b2Jc\u009d0;x\u009cd" }))).toContain("  a\tbcd\n");
});
