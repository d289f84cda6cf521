import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Gateway } from "../../../src/session/gateway.js";
import { Bench } from "./bench.js";

let bench: Bench;
let gateway: Gateway;
let sessionID: string;

beforeEach(async () => {
  bench = new Bench();
  gateway = new Gateway(bench.options);
  sessionID = (await gateway.handle("session.create", { agent: "claude", directory: bench.folder })).session.id;
});
afterEach(async () => {
  await gateway.close();
  bench.dispose();
});

const prompt = (text: string) => gateway.handle("session.prompt", { sessionID, parts: [{ type: "text", text }] });
const archive = (archived: boolean) => gateway.handle("session.update", { sessionID, archived });
const listed = async (query: { archived?: boolean } = {}) =>
  (await gateway.handle("session.list", query)).sessions.map(({ id }) => id);

describe("an archived session", () => {
  test("is listed only when asked for", async () => {
    const { session } = await archive(true);
    expect(session.time.archived).toBeGreaterThanOrEqual(session.time.created);
    expect(await listed()).toEqual([]);
    expect(await listed({ archived: false })).toEqual([]);
    expect(await listed({ archived: true })).toEqual([sessionID]);
    expect((await gateway.handle("session.get", { sessionID })).session.time.archived).toBe(session.time.archived);
  });

  test("keeps the time at which it was archived first", async () => {
    const first = (await archive(true)).session.time.archived;
    expect((await archive(true)).session.time.archived).toBe(first);
  });

  test("is brought back by an update, and by a prompt", async () => {
    await archive(true);
    expect((await archive(false)).session.time.archived).toBeUndefined();
    await archive(true);
    await prompt("go on");
    expect(await listed()).toEqual([sessionID]);
  });

  test("is not one that works", async () => {
    await prompt("work");
    await expect(archive(true)).rejects.toMatchObject({ kind: "busy", detail: { field: "archived" } });
    await expect(archive(false)).resolves.toBeDefined();
  });

  test("is not forked", async () => {
    await archive(true);
    await expect(gateway.handle("session.fork", { sessionID })).rejects.toMatchObject({ kind: "conflict" });
  });
});

describe("session.compact", () => {
  test("is what the agent has for it, with a message that stands for it", async () => {
    const { messageID, queued } = await gateway.handle("session.compact", { sessionID });
    expect(queued).toBe(false);
    expect(bench.store.message(messageID)?.role).toBe("user");
    expect(JSON.stringify(bench.agent.sent.at(-1))).toContain('"/compact"');
  });

  test("waits for a running turn, and is the same when it is sent again", async () => {
    await prompt("work");
    const request = { sessionID, messageID: "msg_00000000000001" };
    expect(await gateway.handle("session.compact", request)).toMatchObject({ queued: true });
    expect(await gateway.handle("session.compact", request)).toMatchObject({ queued: true });
    expect((await gateway.handle("session.get", { sessionID })).session.queue).toEqual([request.messageID]);
  });
});

test("session.review is refused where the agent has none", async () => {
  const request = gateway.handle("session.review", { sessionID, target: { type: "uncommittedChanges" } });
  await expect(request).rejects.toMatchObject({ kind: "not_supported", message: "Claude Code has no review here" });
});
