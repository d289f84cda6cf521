import { describe, expect, test } from "vitest";
import {
  acceptPrompt,
  beginOwnTurn,
  beginTurn,
  cancelQueued,
  takeQueued,
} from "../../../../adapters/shared/prompts.js";
import type { Draft } from "../../../../adapters/shared/transcript.js";
import { createDraft, eventsOf, partsOf, typesOf } from "./draft.js";

const TARGET = { agent: "build", providerID: "maker", modelID: "model" };
const PARTS = [{ type: "text" as const, text: "hello" }];

function accept(draft: Draft, messageID: string, waits: boolean) {
  return acceptPrompt(draft, { messageID, parts: PARTS }, TARGET, waits);
}

function deliveries(draft: Draft): unknown[] {
  return eventsOf(draft).flatMap((event) =>
    event.type === "message.updated" ? [[event.properties.info.id, event.properties.info.metadata?.delivery]] : [],
  );
}

describe("a prompt that need not wait", () => {
  test("is in the conversation with its parts and is handed back", () => {
    const draft = createDraft();
    expect(accept(draft, "msg_1", false)?.info.id).toBe("msg_1");
    expect(typesOf(draft)).toEqual(["message.updated", "message.part.updated"]);
    expect(partsOf(draft)).toMatchObject([{ type: "text", text: "hello", messageID: "msg_1" }]);
    expect(deliveries(draft)).toEqual([["msg_1", undefined]]);
    expect(draft.transcript.session.queue).toEqual([]);
  });

  test("keeps the ids its client chose and gets those it did not choose", () => {
    const draft = createDraft();
    const prompt = acceptPrompt(draft, { parts: [{ ...PARTS[0], id: "prt_mine" }] as never }, TARGET, false);
    expect(prompt?.info.id).toMatch(/^msg_/);
    expect(partsOf(draft)[0]?.id).toBe("prt_mine");
  });
});

describe("prompts that wait", () => {
  test("are visible at once, in order, and are taken in that order", () => {
    const draft = createDraft();
    expect(accept(draft, "msg_1", true)).toBeUndefined();
    expect(accept(draft, "msg_2", true)).toBeUndefined();
    expect(draft.transcript.session.queue).toEqual(["msg_1", "msg_2"]);
    expect([takeQueued(draft)?.info.id, takeQueued(draft)?.info.id, takeQueued(draft)]).toEqual([
      "msg_1",
      "msg_2",
      undefined,
    ]);
    expect(deliveries(draft)).toEqual([
      ["msg_1", "queued"],
      ["msg_2", "queued"],
      ["msg_1", "sent"],
      ["msg_2", "sent"],
    ]);
    expect(draft.transcript.session.queue).toEqual([]);
  });

  test("say that they were cancelled, and are in nobody's way after that", () => {
    const draft = createDraft();
    accept(draft, "msg_1", true);
    accept(draft, "msg_2", true);
    draft.outputs.length = 0;
    cancelQueued(draft);
    expect(deliveries(draft)).toEqual([
      ["msg_1", "cancelled"],
      ["msg_2", "cancelled"],
    ]);
    expect(draft.transcript.session.queue).toEqual([]);
    expect(takeQueued(draft)).toBeUndefined();
  });

  test("cancelling none says nothing", () => {
    const draft = createDraft();
    cancelQueued(draft);
    expect(draft.outputs).toEqual([]);
  });
});

describe("turns", () => {
  test("a turn makes the session busy and forgets the failure before it", () => {
    const draft = createDraft();
    draft.transcript.session.error = { name: "unknown", message: "before", retryable: false };
    beginTurn(draft, "msg_1");
    expect(draft.transcript.session).not.toHaveProperty("error");
    expect(draft.transcript.session.status).toEqual({ type: "busy" });
    expect(typesOf(draft)).toEqual(["session.updated", "session.status"]);
  });

  test("a turn of the agent's own hangs on the last prompt", () => {
    const draft = createDraft();
    beginTurn(draft, "msg_1");
    draft.transcript.turn = null;
    beginOwnTurn(draft, TARGET, "agent");
    expect(draft.transcript.turn).toEqual({ userMessageID: "msg_1", origin: "agent" });
  });

  test("a turn of the agent's own before any prompt gets an empty user message that says so", () => {
    const draft = createDraft();
    beginOwnTurn(draft, TARGET, "agent");
    const [first] = eventsOf(draft);
    expect(first).toMatchObject({
      type: "message.updated",
      properties: { info: { role: "user", metadata: { origin: "agent" } } },
    });
    expect(partsOf(draft)).toEqual([]);
  });
});
