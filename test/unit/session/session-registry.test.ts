import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTranscript } from "../../../adapters/shared/transcript.js";
import type { Params, Session } from "../../../schemas/index.js";
import { AgentPrograms } from "../../../src/session/agent-programs.js";
import { SessionRegistry, type SessionRegistryOptions } from "../../../src/session/session-registry.js";
import { native } from "../adapters/claude/native.js";
import { createSeed } from "../adapters/shared/draft.js";
import { refusal } from "../refusal.js";
import { Bench, PlayedHost } from "./bench.js";

let bench: Bench;
let registry: SessionRegistry;

beforeEach(() => {
  bench = new Bench();
  registry = new SessionRegistry(bench.options);
});
afterEach(async () => {
  await registry.close();
  bench.dispose();
});

const create = (params: Partial<Params<"session.create">> = {}) =>
  registry.create({ agent: "claude", directory: bench.folder, ...params });

function prompt(sessionID: string, from = registry): void {
  from.open(sessionID).command({ type: "prompt", parts: [{ type: "text", text: "go" }] });
}

/** A session that has had a turn in this conversation, and whose process is gone. */
async function sessionIn(nativeID: string): Promise<string> {
  const sessionID = create();
  prompt(sessionID);
  await bench.agent.answer(nativeID);
  bench.agent.exit();
  return sessionID;
}

/** A session that is stored without having been made here. */
function store(change: Partial<Session>): string {
  const seed = createSeed({ agent: "claude", sessionID: change.id ?? "ses_stored" });
  const info = { ...createTranscript(seed).transcript.session, ...change };
  bench.store.write({
    sessionID: info.id,
    events: [{ type: "session.created", properties: { sessionID: info.id, info } }],
  });
  bench.store.flush();
  return info.id;
}

describe("a new session", () => {
  test("is stored as it was asked for, and nothing is started", () => {
    const sessionID = create({ mode: "plan", model: "m", title: "T" });
    expect(registry.record(sessionID)).toMatchObject({
      agent: "claude",
      directory: bench.folder,
      mode: "plan",
      model: "m",
      title: "T",
      status: { type: "idle" },
    });
    expect(bench.host.agents).toEqual([]);
    expect(registry.all().map((live) => live.sessionID)).toEqual([sessionID]);
  });

  test("may be given its id, once", () => {
    expect(create({ id: "ses_mine" })).toBe("ses_mine");
    const refused = refusal(() => create({ id: "ses_mine" }));
    expect(refused).toMatchObject({ kind: "conflict", detail: { field: "id" } });
  });

  test.each([
    ["of an agent that nobody knows", { agent: "nobody" }, {}, "not_found", "agent"],
    ["in a directory that is not there", { directory: "/nowhere" }, {}, "invalid_params", "directory"],
    ["outside of the roots", {}, { roots: ["/nowhere"] }, "forbidden", "directory"],
    ["in a mode the agent does not have", { mode: "safe-yolo" }, {}, "invalid_params", "mode"],
    [
      "of an agent that is not installed",
      {},
      { programs: new AgentPrograms({ env: {} }) },
      "agent_unavailable",
      undefined,
    ],
  ] as const)("%s is refused, and nothing is stored", (_, params, options, kind, field) => {
    registry = new SessionRegistry({ ...bench.options, ...options });
    const refused = refusal(() => create(params));
    expect(refused.kind).toBe(kind);
    expect(refused.detail.field).toBe(field);
    expect(bench.store.sessions({ limit: 10 })).toEqual([]);
    expect(registry.all()).toEqual([]);
  });

  test("starts its program with its own arguments before the adapter's", () => {
    prompt(create({ mode: "plan" }));
    expect(bench.agent.spec).toMatchObject({
      command: "/bin/claude",
      commandArgs: ["first"],
      directory: bench.folder,
      channel: "ndjson",
      args: expect.arrayContaining(["--permission-mode", "plan"]),
    });
  });
});

describe("a session that is opened", () => {
  test("is the one at work", () => {
    const sessionID = create();
    expect(registry.open(sessionID)).toBe(registry.get(sessionID));
  });

  test.each([
    ["that nobody knows", () => "ses_unknown", "not_found", "sessionID"],
    ["that is a subagent's", () => store({ parentID: create() }), "not_supported", "sessionID"],
    ["that has no checkpoint", () => store({}), "storage", undefined],
  ])("%s is refused", (_, make, kind, field) => {
    const sessionID = make();
    const refused = refusal(() => registry.open(sessionID));
    expect(refused.kind).toBe(kind);
    expect(refused.detail.field).toBe(field);
    expect(registry.get(sessionID)).toBeUndefined();
  });

  test("comes back from its checkpoint, and goes on with its conversation", async () => {
    const sessionID = await sessionIn("n1");
    const later = new SessionRegistry(bench.options);
    expect(later.get(sessionID)).toBeUndefined();
    prompt(sessionID, later);
    expect(bench.agent.spec.args).toEqual(expect.arrayContaining(["--resume", "n1"]));
  });
});

describe("what an earlier gateway left unfinished", () => {
  test("is closed at the start; what was idle is left alone", async () => {
    const idle = await sessionIn("n1");
    const busy = create();
    prompt(busy);
    await bench.agent.say(native.init(), native.whole("m", native.call("t1", "Bash", { command: "ls" })));
    const later = new SessionRegistry({ ...bench.options, host: new PlayedHost() });
    expect(later.get(idle)).toBeUndefined();
    expect(later.record(busy).status).toEqual({ type: "idle" });
    const parts = bench.store.messages(busy, { limit: 10 }).flatMap((message) => message.parts);
    expect(parts.find((part) => part.type === "tool")).toMatchObject({ state: { status: "error" } });
  });

  test("goes on where it runs in a terminal", () => {
    const attached = store({ status: { type: "busy" }, metadata: { attached: true } });
    const later = new SessionRegistry(bench.options);
    expect(later.all()).toEqual([]);
    expect(later.record(attached).status).toEqual({ type: "busy" });
    later.attachments.close();
  });
});

describe("one conversation", () => {
  test("is worked on by one session at a time", async () => {
    const [first, second] = [await sessionIn("n1"), await sessionIn("n1")];
    prompt(first);
    const started = bench.host.agents.length;
    prompt(second);
    expect(bench.host.agents).toHaveLength(started);
    expect(registry.record(second)).toMatchObject({
      status: { type: "idle" },
      error: { message: expect.stringContaining(first) },
    });
    expect(registry.record(first).status).toEqual({ type: "busy" });
  });

  test("is free for the other session when the process is gone", async () => {
    const [first, second] = [await sessionIn("n1"), await sessionIn("n1")];
    prompt(first);
    bench.agent.exit();
    prompt(second);
    expect(bench.agent.spec.args).toEqual(expect.arrayContaining(["--resume", "n1"]));
    expect(registry.record(second).status).toEqual({ type: "busy" });
    expect(registry.record(second).error).toBeUndefined();
  });

  test("is one session's from when the agent first names it, also where nothing was resumed", async () => {
    const [first, second] = [create(), await sessionIn("n1")];
    prompt(first);
    await bench.agent.say(native.init({ session_id: "n1" }));
    const started = bench.host.agents.length;
    prompt(second);
    expect(bench.host.agents).toHaveLength(started);
    expect(registry.record(second).error?.message).toContain(first);
    bench.agent.exit();
    prompt(second);
    expect(registry.record(second).status).toEqual({ type: "busy" });
  });

  test.each([
    ["another session", (first: string) => prompt(first)],
    ["another gateway", () => writeFileSync(join(bench.folder, "locks", "claude-n1.lock"), String(process.ppid))],
  ])("that %s has is not gone on with by a process that names it: the process ends, and says why", async (_, take) => {
    take(await sessionIn("n1"));
    const second = create();
    prompt(second);
    const agent = bench.agent;
    await agent.say(native.init({ session_id: "n1" }), native.whole("m1", { type: "text", text: "mine" }));
    expect(agent.stops).toEqual(["kill"]);
    expect(registry.record(second)).toMatchObject({
      status: { type: "idle" },
      error: { name: "agent_exited", message: expect.stringContaining("n1 is in use by") },
    });
  });

  test("is followed by the lock when the agent goes over to another one", async () => {
    const sessionID = create();
    prompt(sessionID);
    await bench.agent.say(native.init({ session_id: "n1" }), native.init({ session_id: "n2" }));
    expect(readdirSync(join(bench.folder, "locks")).sort()).toEqual(["claude-n1.lock", "claude-n2.lock"]);
    bench.agent.exit();
    expect(readdirSync(join(bench.folder, "locks"))).toEqual([]);
  });

  test("may be copied while another session works on it", async () => {
    const sessionID = await sessionIn("n1");
    const history = bench.store.messages(sessionID, { limit: 10 });
    const fork = registry.fork(registry.record(sessionID), history);
    prompt(sessionID);
    prompt(fork);
    expect(bench.agent.spec.args).toEqual(expect.arrayContaining(["--resume", "n1", "--fork-session"]));
    expect(registry.record(fork).status).toEqual({ type: "busy" });
  });

  test("is nobody's any more when its session was removed", async () => {
    const [first, second] = [await sessionIn("n1"), await sessionIn("n1")];
    prompt(first);
    await registry.remove(first);
    prompt(second);
    expect(registry.record(second).status).toEqual({ type: "busy" });
  });
});

describe("a fork", () => {
  test("has its parent's directory, title, mode, model and rules", async () => {
    const permission = [{ permission: "bash", pattern: "ls", action: "allow" as const }];
    const sessionID = create({ mode: "plan", model: "m", title: "T", permission });
    prompt(sessionID);
    await bench.agent.answer("n1");
    const parent = registry.record(sessionID);
    const fork = registry.record(registry.fork(parent, bench.store.messages(sessionID, { limit: 10 })));
    expect(fork.id).not.toBe(sessionID);
    const { directory, title, mode, model } = parent;
    expect({ title, mode, model }).toEqual({ title: "T", mode: "plan", model: "m" });
    expect(fork).toMatchObject({ directory, title, mode, model, permission });
    expect(fork).not.toHaveProperty("parentID");
  });

  test("of a session without a conversation is refused, and nothing is stored", () => {
    const sessionID = create();
    const refused = refusal(() => registry.fork(registry.record(sessionID), []));
    expect(refused).toMatchObject({ kind: "invalid_params", detail: { field: "sessionID" } });
    expect(bench.store.sessions({ limit: 10 }).map(({ id }) => id)).toEqual([sessionID]);
  });
});

test("a recorder is told what a session began from", async () => {
  const told: Parameters<NonNullable<SessionRegistryOptions["tap"]>>[] = [];
  registry = new SessionRegistry({
    ...bench.options,
    tap: (...args) => {
      told.push(args);
      return undefined;
    },
  });
  const sessionID = await sessionIn("n1");
  const state = registry.get(sessionID)?.state;
  const history = bench.store.messages(sessionID, { limit: 10 });
  const fork = registry.fork(registry.record(sessionID), history);
  expect(told.map(([seed, origin]) => [seed.sessionID, origin])).toEqual([
    [sessionID, undefined],
    [fork, { state, history }],
  ]);
});

describe("the end", () => {
  test("of one session ends its process and forgets it", async () => {
    const [removed, other] = [create(), create()];
    prompt(removed);
    await registry.remove(removed);
    expect(bench.agent.stops).toEqual(["end"]);
    expect(registry.all().map((live) => live.sessionID)).toEqual([other]);
  });

  test("of a session that nobody opened is no trouble", async () => {
    await expect(registry.remove("ses_unknown")).resolves.toBeUndefined();
  });

  test("of all ends every process, and closes and stores what was open", async () => {
    const sessions = [create(), create()];
    for (const sessionID of sessions) prompt(sessionID);
    await registry.close();
    expect(bench.host.agents.map(({ stops }) => stops)).toEqual([["end"], ["end"]]);
    expect(bench.host.closed).toBe(true);
    expect(sessions.map((sessionID) => registry.record(sessionID).status.type)).toEqual(["idle", "idle"]);
    expect(bench.store.unfinished()).toEqual([]);
    const refused = refusal(() => prompt(String(sessions[0])));
    expect(refused.kind).toBe("conflict");
  });
});
