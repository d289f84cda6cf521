import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { claude } from "../../../adapters/claude/index.js";
import type { Params, Session, WireEvent } from "../../../schemas/index.js";
import { AgentPrograms } from "../../../src/session/agent-programs.js";
import { Gateway, type GatewayOptions } from "../../../src/session/gateway.js";
import { native } from "../adapters/claude/native.js";
import { Bench } from "./bench.js";

const IDLE_MS = 60_000;
const NATIVE_ID = "00000000-0000-4000-8000-00000000cccc";

let bench: Bench;
let gateway: Gateway;
let sessionID: string;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  bench = new Bench();
  await open({ idleMs: IDLE_MS });
});
afterEach(async () => {
  for (const agent of bench.host.agents) agent.exit();
  await gateway.close();
  bench.dispose();
  vi.useRealTimers();
});

async function open(change: Partial<GatewayOptions>, agent = "claude"): Promise<void> {
  gateway = new Gateway({ ...bench.options, ...change });
  sessionID = (await gateway.handle("session.create", { agent, directory: bench.folder })).session.id;
}

const prompt = (text = "go", params: Partial<Params<"session.prompt">> = {}) =>
  gateway.handle("session.prompt", { sessionID, parts: [{ type: "text", text }], ...params });
const session = (): Session => {
  const found = bench.store.session(sessionID);
  if (!found) throw new Error("there is no session");
  return found;
};
const processes = () => bench.host.agents.length;
/** What the process that was started last was prompted with. */
const prompts = () =>
  bench.agent.sent.flatMap(({ type, message }) => (type === "user" ? [(message as { content: unknown }).content] : []));
const locks = () => readdirSync(join(bench.folder, "locks"));

/** A turn, from its prompt to its end. */
async function turn(text = "go"): Promise<void> {
  await prompt(text);
  await bench.agent.answer(NATIVE_ID, text);
}

/** Everything that is told while something is done, also what is stored later. */
async function told(work: () => unknown): Promise<WireEvent[]> {
  const events: WireEvent[] = [];
  bench.store.flush();
  const stop = bench.store.subscribe((group) => events.push(...group.map(({ event }) => event)));
  await work();
  bench.store.flush();
  stop();
  return events;
}

const pass = (ms: number) => vi.advanceTimersByTime(ms);

describe("a session that is not used", () => {
  test("gives up its process and its lock, and nothing is told of it", async () => {
    await turn();
    const before = session();
    expect(locks()).toHaveLength(1);
    const events = await told(() => pass(IDLE_MS));
    expect(bench.agent.stops).toEqual(["end"]);
    expect(gateway.live(sessionID)?.running).toBe(false);
    expect(locks()).toEqual([]);
    expect(events).toEqual([]);
    expect(session()).toEqual(before);
  });

  test("has its process back with the next prompt, and its history", async () => {
    await turn("first");
    pass(IDLE_MS);
    await turn("second");
    expect(processes()).toBe(2);
    expect(bench.agent.spec.args.join(" ")).toContain(`--resume ${NATIVE_ID}`);
    expect(prompts()).toEqual(["second"]);
    expect(session()).toMatchObject({ status: { type: "idle" } });
    expect(session().error).toBeUndefined();
    expect(locks()).toHaveLength(1);
    pass(IDLE_MS);
    expect(locks()).toEqual([]);
  });

  test("has had all the time since its last use, whatever that was", async () => {
    await turn();
    pass(IDLE_MS - 1);
    await gateway.handle("session.update", { sessionID, title: "still here" });
    pass(IDLE_MS - 1);
    expect(bench.agent.stops).toEqual([]);
    pass(1);
    expect(bench.agent.stops).toEqual(["end"]);
  });

  test("is not kept from it by being read, nor by lines of its agent that mean nothing", async () => {
    await turn();
    pass(IDLE_MS - 1);
    await gateway.handle("session.messages", { sessionID });
    await bench.agent.say(native.result({ type: "keep_alive" }));
    pass(1);
    expect(bench.agent.stops).toEqual(["end"]);
  });

  test("may have ended by itself before", async () => {
    await turn();
    bench.agent.exit();
    pass(2 * IDLE_MS);
    expect(bench.agent.stops).toEqual([]);
  });

  test.each([
    ["with a failure", 1, null],
    ["by force", null, "SIGKILL"],
  ])("is not told of a process that ends %s when it is told to", async (_, code, signal) => {
    bench.host.lingers = true;
    await turn();
    const events = await told(() => {
      pass(IDLE_MS);
      bench.agent.exit(code, signal);
    });
    expect(events).toEqual([]);
    expect(session().error).toBeUndefined();
  });
});

describe("its process stays", () => {
  test("while a turn runs, however silent, and for the whole time after it", async () => {
    await prompt();
    pass(3 * IDLE_MS);
    expect(bench.agent.stops).toEqual([]);
    await bench.agent.answer(NATIVE_ID);
    pass(IDLE_MS - 1);
    expect(bench.agent.stops).toEqual([]);
    pass(1);
    expect(bench.agent.stops).toEqual(["end"]);
  });

  test("while a tool waits for a decision", async () => {
    await prompt();
    const call = native.call("t1", "Bash", { command: "ls" });
    await bench.agent.say(
      native.init(),
      native.whole("m1", call),
      native.ask("ask_1", "t1", "Bash", { command: "ls" }),
    );
    expect(gateway.pendingBlocks(sessionID)).toHaveLength(1);
    pass(3 * IDLE_MS);
    expect(bench.agent.stops).toEqual([]);
  });

  test("where no time is set", async () => {
    await gateway.close();
    await open({});
    await turn();
    pass(100 * IDLE_MS);
    expect(bench.agent.stops).toEqual([]);
  });

  test("where its agent cannot take up a conversation", async () => {
    await gateway.close();
    const adapter = { ...claude, id: "forgetful", capabilities: claude.capabilities.filter((one) => one !== "resume") };
    const programs = new AgentPrograms({
      declared: { forgetful: { adapter, program: { command: "/bin/forgetful", args: [] } } },
    });
    await open({ idleMs: IDLE_MS, programs }, "forgetful");
    await turn();
    pass(3 * IDLE_MS);
    expect(bench.agent.stops).toEqual([]);
  });
});

describe("while its process is being ended", () => {
  /** The process was told to end, and has not. */
  async function beginToEnd(): Promise<Bench["agent"]> {
    bench.host.lingers = true;
    await turn("first");
    pass(IDLE_MS);
    expect(bench.agent.stops).toEqual(["end"]);
    return bench.agent;
  }

  test("a prompt waits for the end, and goes to another process", async () => {
    const ending = await beginToEnd();
    const sent = ending.sent.length;
    expect(await prompt("second")).toMatchObject({ queued: true });
    expect(session()).toMatchObject({ status: { type: "idle" }, queue: [expect.any(String)] });
    expect({ processes: processes(), sent: ending.sent.length }).toEqual({ processes: 1, sent });
    const events = await told(() => ending.exit());
    expect(events.filter(({ type }) => type === "session.error")).toEqual([]);
    expect(processes()).toBe(2);
    expect(bench.agent.spec.args.join(" ")).toContain(`--resume ${NATIVE_ID}`);
    expect(prompts()).toEqual(["second"]);
    expect(session()).toMatchObject({ status: { type: "busy" }, queue: [] });
    await bench.agent.answer(NATIVE_ID, "there again");
    const texts = bench.store.messages(sessionID, { limit: 10 }).flatMap(({ parts }) => parts);
    expect(texts.at(-2)).toMatchObject({ type: "text", text: "there again" });
  });

  test("several prompts keep their order", async () => {
    const ending = await beginToEnd();
    await prompt("second");
    await prompt("third", { delivery: "steer" });
    ending.exit();
    await bench.agent.answer(NATIVE_ID, "second");
    await bench.agent.answer(NATIVE_ID, "third");
    expect(prompts()).toEqual(["second", "third"]);
    expect(processes()).toBe(2);
    expect(session()).toMatchObject({ status: { type: "idle" }, queue: [] });
  });

  test("a prompt that comes in the same moment as the end is not lost", async () => {
    const ending = await beginToEnd();
    const accepted = prompt("second");
    ending.exit();
    expect(await accepted).toMatchObject({ queued: false });
    expect(processes()).toBe(2);
    expect(prompts()).toEqual(["second"]);
  });

  test("a prompt that comes a moment before keeps the process", async () => {
    bench.host.lingers = true;
    await turn("first");
    pass(IDLE_MS - 1);
    await prompt("second");
    pass(1);
    expect(bench.agent.stops).toEqual([]);
    expect(processes()).toBe(1);
  });

  test("what the process still says is heard no more", async () => {
    const ending = await beginToEnd();
    const line = native.whole("late", { type: "text", text: "by the way" });
    expect(await told(() => ending.say(native.init({ session_id: "another" }), line))).toEqual([]);
  });

  test("an abort takes the waiting prompt back, and nothing is started", async () => {
    const ending = await beginToEnd();
    await prompt("second");
    expect(await gateway.handle("session.abort", { sessionID })).toEqual({ aborted: false });
    ending.exit();
    expect(processes()).toBe(1);
    expect(session()).toMatchObject({ status: { type: "idle" }, queue: [] });
  });

  test("a mode, a model and an option are those of the next process", async () => {
    const ending = await beginToEnd();
    const changed = await gateway.handle("session.setMode", { sessionID, mode: "plan" });
    expect(changed.session).toMatchObject({ mode: "plan" });
    await gateway.handle("session.setModel", { sessionID, model: "other" });
    await gateway.handle("session.setOption", { sessionID, option: "maxThinkingTokens", value: 7 });
    ending.exit();
    await prompt("second");
    const args = bench.agent.spec.args.join(" ");
    expect(args).toContain("--permission-mode plan");
    expect(args).toContain("--model other");
    const requests = bench.agent.sent.map(({ request }) => request);
    expect(requests).toContainEqual({ subtype: "set_max_thinking_tokens", max_thinking_tokens: 7 });
  });

  test("session.resume has the agent there again as soon as it can be", async () => {
    const ending = await beginToEnd();
    await gateway.handle("session.resume", { sessionID });
    expect(processes()).toBe(1);
    ending.exit();
    expect(processes()).toBe(2);
    expect(bench.agent.spec.args.join(" ")).toContain(`--resume ${NATIVE_ID}`);
    expect(prompts()).toEqual([]);
  });

  test("the gateway may be closed, which waits for it", async () => {
    const ending = await beginToEnd();
    await prompt("second");
    const closed = gateway.close();
    ending.exit();
    await closed;
    expect(processes()).toBe(1);
    expect(session()).toMatchObject({ status: { type: "idle" }, queue: [] });
  });

  test("the session may be deleted", async () => {
    const ending = await beginToEnd();
    const deleted = gateway.handle("session.delete", { sessionID });
    await Promise.resolve();
    ending.exit();
    await deleted;
    expect(bench.store.session(sessionID)).toBeUndefined();
    expect(locks()).toEqual([]);
  });
});
