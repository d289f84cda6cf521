import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { MessageWithParts } from "../../../schemas/index.js";
import { Gateway } from "../../../src/session/gateway.js";
import { Bench } from "./bench.js";

let bench: Bench;
let gateway: Gateway;

beforeEach(() => {
  bench = new Bench();
  gateway = new Gateway(bench.options);
});
afterEach(async () => {
  await gateway.close();
  bench.dispose();
});

async function create(): Promise<string> {
  return (await gateway.handle("session.create", { agent: "claude", directory: bench.folder })).session.id;
}

const prompt = (sessionID: string, text: string) =>
  gateway.handle("session.prompt", { sessionID, parts: [{ type: "text", text }] });

/** A session with these turns, whose answers the CLI knows as `line_<text>`. */
async function sessionOf(...texts: string[]): Promise<string> {
  const sessionID = await create();
  for (const text of texts) {
    await prompt(sessionID, text);
    await bench.agent.answer("n1", text);
  }
  return sessionID;
}

const messagesOf = (sessionID: string) => bench.store.messages(sessionID, { limit: 100 });
const textsOf = (messages: readonly MessageWithParts[]) =>
  messages.flatMap(({ info, parts }) =>
    parts.flatMap((part) => (part.type === "text" ? [`${info.role}: ${part.text}`] : [])),
  );
const ALL = ["user: one", "assistant: one", "user: two", "assistant: two", "user: three", "assistant: three"];

describe("a fork at a message", () => {
  test.each([
    ["none has all", undefined, 6, "line_three"],
    ["the last answer has all", 5, 6, "line_three"],
    ["an answer has it and what came before", 3, 4, "line_two"],
    ["the first answer has one turn", 1, 2, "line_one"],
    ["a prompt has what came before it", 4, 4, "line_two"],
  ])("that is %s", async (_, index, count, at) => {
    const sessionID = await sessionOf("one", "two", "three");
    const messageID = index === undefined ? undefined : messagesOf(sessionID)[index]?.info.id;
    const { session } = await gateway.handle("session.fork", { sessionID, ...(messageID && { messageID }) });
    expect(textsOf(messagesOf(session.id))).toEqual(ALL.slice(0, count));
    expect(textsOf(messagesOf(sessionID))).toEqual(ALL);
    await prompt(session.id, "go on");
    const { args } = bench.agent.spec;
    expect(args.slice(args.indexOf("--resume"))).toEqual([
      "--resume",
      "n1",
      "--fork-session",
      "--resume-session-at",
      at,
    ]);
  });
});

test("a fork has the id that its client chose, and is made once", async () => {
  const sessionID = await sessionOf("one");
  const { session } = await gateway.handle("session.fork", { sessionID, id: "ses_mine" });
  expect(session.id).toBe("ses_mine");
  await expect(gateway.handle("session.fork", { sessionID, id: "ses_mine" })).rejects.toMatchObject({
    kind: "conflict",
    detail: { field: "id" },
  });
});

describe("a fork is refused", () => {
  const fork = (sessionID: string, messageID?: string) =>
    gateway.handle("session.fork", { sessionID, ...(messageID && { messageID }) });

  test("at a message that is not there", async () => {
    await expect(fork(await sessionOf("one"), "msg_unknown")).rejects.toMatchObject({
      kind: "not_found",
      detail: { field: "messageID" },
      message: expect.stringContaining("msg_unknown"),
    });
  });

  test("at a message of another session", async () => {
    const [sessionID, other] = [await sessionOf("one"), await sessionOf("two")];
    await expect(fork(sessionID, messagesOf(other)[0]?.info.id)).rejects.toMatchObject({
      kind: "not_found",
      detail: { field: "messageID" },
    });
  });

  test("of a session that is not there", async () => {
    await expect(fork("ses_unknown")).rejects.toMatchObject({ kind: "not_found", detail: { field: "sessionID" } });
  });

  test("of a session without a conversation", async () => {
    await expect(fork(await create())).rejects.toMatchObject({
      kind: "invalid_params",
      detail: { field: "sessionID" },
    });
  });

  test("while a turn runs, and not any more when it has ended", async () => {
    const sessionID = await sessionOf("one");
    await prompt(sessionID, "two");
    await expect(fork(sessionID)).rejects.toMatchObject({ kind: "busy" });
    await bench.agent.answer("n1", "two");
    expect((await fork(sessionID)).session.status).toEqual({ type: "idle" });
  });

  test("and leaves nothing behind", async () => {
    const sessionID = await sessionOf("one");
    await expect(fork(sessionID, "msg_unknown")).rejects.toThrow();
    expect(bench.store.sessions({ limit: 10 }).map(({ id }) => id)).toEqual([sessionID]);
  });
});
