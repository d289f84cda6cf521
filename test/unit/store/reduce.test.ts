import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { WireEvent } from "../../../schemas/index.js";
import { EMPTY_STATE, finalDocument, reduce } from "../../../src/store/reduce.js";
import { reduceAll } from "./legal-events.js";
import * as make from "./samples.js";

const { events, part } = make.conversation();
const known = reduceAll([...events, ...make.conversation("ses_2").events]);

describe("reduce", () => {
  const ofNothing: WireEvent[] = [
    { type: "session.status", properties: { sessionID: "ses_9", status: { type: "busy" } } },
    {
      type: "session.error",
      properties: { sessionID: "ses_9", error: { name: "auth", message: "", retryable: false } },
    },
    { type: "session.deleted", properties: { sessionID: "ses_9" } },
    make.message(make.userMessage("ses_9", "msg_9")),
    make.partUpdated({ ...part, messageID: "msg_9", id: "prt_9" }),
    make.delta({ ...part, id: "prt_9" }, 0, "x"),
    make.delta(part, 7, "a hole before it"),
    { type: "message.removed", properties: { sessionID: "ses_1", messageID: "msg_9" } },
    { type: "message.part.removed", properties: { sessionID: "ses_1", messageID: "msg_1", partID: "prt_9" } },
    { type: "todo.updated", properties: { sessionID: "ses_9", todos: [] } },
    { type: "todo.updated", properties: { sessionID: "ses_1", todos: [] } },
    { type: "session.compacted", properties: { sessionID: "ses_1" } },
    { type: "file.edited", properties: { sessionID: "ses_1", file: "a" } },
    { type: "file.watcher.updated", properties: { sessionID: "ses_1", file: "a", event: "add" } },
    { type: "of.the.future", properties: { sessionID: "ses_1" } } as unknown as WireEvent,
    ...structuredClone(events),
  ];
  it.each(ofNothing)("keeps the state for an event that changes nothing: $type", (event) => {
    expect(reduce(known, event)).toBe(known);
  });

  it("keeps the identity of what an event does not touch", () => {
    const next = reduce(known, make.delta(part, 0, "hi"));
    expect(next.sessions.ses_2).toBe(known.sessions.ses_2);
    expect(next.sessions.ses_1?.info).toBe(known.sessions.ses_1?.info);
    expect(next.sessions.ses_1?.messages.msg_1?.info).toBe(known.sessions.ses_1?.messages.msg_1?.info);
    expect(next.sessions.ses_1?.messages.msg_1?.parts.prt_1).toEqual({ ...part, text: "hi" });
    expect(known.sessions.ses_1?.messages.msg_1?.parts.prt_1).toEqual(part);
  });

  it("patches the status and the error of a session", () => {
    const error = { name: "auth", message: "log in", retryable: false } as const;
    const next = reduceAll(
      [
        { type: "session.status", properties: { sessionID: "ses_1", status: { type: "busy" } } },
        { type: "session.error", properties: { sessionID: "ses_1", error } },
      ],
      known,
    );
    expect(next.sessions.ses_1?.info).toEqual(make.session("ses_1", { status: { type: "busy" }, error }));
  });

  it("deletes a session with all that stand below it", () => {
    const family = reduceAll(
      [
        make.created(make.session("ses_4", { parentID: "ses_3" })),
        make.created(make.session("ses_3", { parentID: "ses_1" })),
      ],
      known,
    );
    const left = reduce(family, { type: "session.deleted", properties: { sessionID: "ses_1" } });
    expect(Object.keys(left.sessions)).toEqual(["ses_2"]);
  });

  it("keeps a message's parts when the message is updated", () => {
    const next = reduce(known, make.message(make.assistantMessage("ses_1", "msg_1", 1, 0.5)));
    expect(next.sessions.ses_1?.messages.msg_1?.parts).toBe(known.sessions.ses_1?.messages.msg_1?.parts);
  });
});

describe("finalDocument", () => {
  it("sorts by creation, then id", () => {
    const state = reduceAll([
      make.created(make.session("ses_b")),
      make.created(make.session("ses_a", { time: { created: 2, updated: 2 } })),
      make.created(make.session("ses_B")),
      make.message(make.userMessage("ses_b", "msg_2", 1)),
      make.message(make.userMessage("ses_b", "msg_1", 2)),
      make.message(make.userMessage("ses_b", "msg_0", 2)),
      make.partUpdated(make.textPart({ sessionID: "ses_b", messageID: "msg_2", id: "prt_2" })),
      make.partUpdated(make.textPart({ sessionID: "ses_b", messageID: "msg_2", id: "prt_1" })),
    ]);
    const { sessions } = finalDocument(state);
    expect(sessions.map(({ info }) => info.id)).toEqual(["ses_B", "ses_b", "ses_a"]);
    expect(sessions[1]?.messages.map(({ info }) => info.id)).toEqual(["msg_2", "msg_0", "msg_1"]);
    expect(sessions[1]?.messages[0]?.parts.map(({ id }) => id)).toEqual(["prt_1", "prt_2"]);
    expect(finalDocument(EMPTY_STATE)).toEqual({ sessions: [] });
  });
});

it("runs in a browser: nothing it imports is of Node", () => {
  for (const file of ["reduce.ts", "reduce-part.ts", "equal-json.ts"]) {
    const source = readFileSync(new URL(`../../../src/store/${file}`, import.meta.url), "utf8");
    const imports = [...source.matchAll(/^import (type )?.* from "(.*)";$/gm)];
    for (const [, isType, from] of imports)
      expect(isType !== undefined || /^\.\/(equal-json|reduce-part)\.js$/.test(from ?? "")).toBe(true);
  }
});
