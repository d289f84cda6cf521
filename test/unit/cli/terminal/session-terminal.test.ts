import { PassThrough } from "node:stream";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import type { PendingBlock, ToolPart, WireEvent } from "../../../../schemas/index.js";
import { connectInProcess } from "../../../../src/cli/connect-in-process.js";
import { Screen } from "../../../../src/cli/terminal/screen.js";
import { SessionTerminal } from "../../../../src/cli/terminal/session-terminal.js";
import { TerminalView } from "../../../../src/cli/terminal/terminal-view.js";
import type { Client } from "../../../../src/client/index.js";
import { createServerCore } from "../../../../src/server/server-core.js";
import { permission } from "../../adapters/shared/draft.js";
import { delta, message, partUpdated, sessionCreated, status, text, tool } from "../../server/events.js";
import { FakeStore } from "../../server/fake-store.js";
import { readOf } from "../../server/read-of.js";
import { handlerOf } from "../../server/stream-peer.js";

const P = { id: "prt_1" };
const CHILD = { id: "prt_c", messageID: "msg_c", sessionID: "ses_2" };

const clients: Client[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

const blocked: ToolPart = {
  ...tool(CHILD, ""),
  state: { status: "blocked", input: {}, title: "look", time: { start: 1 }, block: permission("a") },
};
const pending = { ...CHILD, partID: CHILD.id, callID: "c", tool: "bash", block: permission("a") } as PendingBlock;

/** A session that a gateway has, and a terminal that shows it. */
async function open(recent: number | undefined, blocks: readonly PendingBlock[] = []) {
  const store = new FakeStore();
  const handler = handlerOf((method, params) =>
    method === "block.list" ? { blocks } : (readOf(store, method, params) ?? { messageID: "msg_u", queued: false }),
  );
  const core = createServerCore({ handler, store, version: "1", log: pino({ level: "silent" }) });
  store.publish(
    sessionCreated(),
    message("msg_0"),
    partUpdated(text({ ...P, id: "prt_0", messageID: "msg_0" }, "old", true)),
  );
  store.publish(status("busy"), message("msg_1"), partUpdated(text(P, "so far")));
  const client = await connectInProcess(core);
  clients.push(client);
  const out = new PassThrough();
  const view = new TerminalView(new Screen(out));
  const heard: string[] = [];
  const terminal = new SessionTerminal({
    client,
    sessionID: "ses_1",
    ...(recent !== undefined && { recent }),
    onEvent: (event: WireEvent) => {
      heard.push(event.type);
      view.show(event);
    },
  });
  return { store, client, terminal, heard, shown: () => String(out.read() ?? "") };
}

test("begins with the last messages and what is open in them, and goes on from there", async () => {
  const { store, terminal, shown } = await open(1);
  await terminal.during(() => {
    store.publish(delta(P, 6, ", so good"), partUpdated(text(P, "so far, so good", true)), status("idle"));
    return terminal.turns.untilIdle();
  });
  expect(shown()).toBe("so far, so good\n");
});

test("without recent messages only what happens from now on is shown", async () => {
  const { store, terminal, heard } = await open(undefined);
  await terminal.during(() => {
    store.publish(status("idle"), status("busy"), status("idle"));
    return terminal.turns.untilIdle();
  });
  expect(heard).toContain("session.status");
  expect(heard).not.toContain("session.updated");
});

test("what waits in a subagent is told, also where none of its messages are asked for", async () => {
  const { store, terminal, shown } = await open(0, [pending]);
  store.publish(sessionCreated("ses_2", "ses_1"), message("msg_c", "ses_2"), partUpdated(blocked));
  await terminal.during(() => Promise.resolve());
  expect(shown()).toBe("  ┆ ? look needs permission\n");
});

/** Once a session is followed, by work without an end. */
function followed(terminal: SessionTerminal): Promise<() => Promise<unknown>> {
  return new Promise((resolve) => {
    const following = terminal.during(() => {
      setImmediate(() => resolve(() => following));
      return new Promise(() => {});
    });
    following.catch(() => {});
  });
}

test("ends with the work, with its failure, and with the session", async () => {
  const working = await open(0);
  expect(await working.terminal.during(() => Promise.resolve(7))).toBe(7);

  const failing = await open(0);
  await expect(failing.terminal.during(() => Promise.reject(new Error("no")))).rejects.toThrow("no");

  const deleted = await open(0);
  const following = await followed(deleted.terminal);
  deleted.store.publish({ type: "session.deleted", properties: { sessionID: "ses_1" } });
  await expect(following()).rejects.toMatchObject({ kind: "not_found", message: "the session ses_1 was deleted" });

  const closed = await open(0);
  const left = await followed(closed.terminal);
  closed.client.close();
  await expect(left()).rejects.toMatchObject({ kind: expect.stringMatching(/closed|shutting_down/) });
});
