import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { MessageWithParts } from "../../../schemas/index.js";
import { Gateway } from "../../../src/session/gateway.js";
import { SYSTEM_CLOCK } from "../../../src/store/store-clock.js";
import { native } from "../adapters/claude/native.js";
import { LimitedStore, MUCH } from "../store/limited-store.js";
import { Bench } from "./bench.js";

let bench: Bench;
let store: LimitedStore;
let gateway: Gateway;
let failures: string[];
let sessionID: string;

beforeEach(async () => {
  bench = new Bench();
  failures = [];
  store = new LimitedStore(join(bench.folder, "wire.db"), SYSTEM_CLOCK, (error, sessionIDs) => {
    failures.push(error.kind);
    gateway.storeFailed(sessionIDs);
  });
  gateway = new Gateway({ ...bench.options, store });
  const { session } = await gateway.handle("session.create", { agent: "claude", directory: bench.folder });
  sessionID = session.id;
  await prompt("first");
  await bench.agent.answer("n1");
});
afterEach(async () => {
  vi.useRealTimers();
  store.free();
  await gateway.close();
  store.close();
  bench.dispose();
});

const prompt = (text: string) => gateway.handle("session.prompt", { sessionID, parts: [{ type: "text", text }] });
const messages = async () => (await gateway.handle("session.messages", { sessionID })).messages;
const status = async () => (await gateway.handle("session.get", { sessionID })).session.status.type;

const texts = (all: readonly MessageWithParts[]) =>
  all.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])));

/** A new process takes the prompt, in the conversation that it was. */
async function goesOn(text: string, before: readonly string[]): Promise<void> {
  const started = bench.host.agents.length;
  expect(await prompt(text)).toMatchObject({ queued: false });
  expect(bench.host.agents).toHaveLength(started + 1);
  expect(bench.agent.spec.args).toEqual(expect.arrayContaining(["--resume", "n1"]));
  await bench.agent.answer("n1", "again");
  expect(await status()).toBe("idle");
  expect(texts(await messages())).toEqual([...before, text, "again"]);
}

describe.each(["full", "read-only"] as const)("while the disk is %s", (limit) => {
  test("a prompt is refused, its agent hears nothing of it, and all that was can be read", async () => {
    const before = await messages();
    const heard = bench.agent.sent.length;
    store.limit(limit);
    await expect(prompt(MUCH)).rejects.toMatchObject({ kind: "storage" });
    expect(bench.agent.sent).toHaveLength(heard);
    expect(await messages()).toEqual(before);
    expect(await status()).toBe("idle");
    expect((await gateway.handle("session.list", {})).sessions).toHaveLength(1);
  });

  test("an agent's work that cannot be stored ends with its process, and its turn when that can be stored", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await prompt("second");
    const { agent } = bench;
    store.limit(limit);
    await agent.say(native.init({ session_id: "n1" }), native.whole("m2", { type: "text", text: MUCH }));
    expect(failures).toContain("storage");
    expect(agent.stops).toContain("kill");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(texts(await messages())).toEqual(["first", "done", "second"]);
    store.free();
    await vi.advanceTimersByTimeAsync(5000);
    expect(await status()).toBe("idle");
    expect(texts(await messages())).toEqual(["first", "done", "second"]);
    await goesOn("third", ["first", "done", "second"]);
  });

  test("a turn that could not be closed is closed by the next prompt", async () => {
    await prompt("second");
    store.limit(limit);
    await bench.agent.say(native.init({ session_id: "n1" }), native.whole("m2", { type: "text", text: MUCH }));
    await expect(prompt(MUCH)).rejects.toMatchObject({ kind: "storage" });
    store.free();
    await goesOn("third", ["first", "done", "second"]);
  });

  test("nothing is half-written: the session goes on from its last checkpoint when there is space again", async () => {
    store.limit(limit);
    await expect(prompt(MUCH)).rejects.toMatchObject({ kind: "storage" });
    store.free();
    await goesOn("second", ["first", "done"]);
  });
});
