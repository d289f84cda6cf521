import pino from "pino";
import { afterEach, describe, expect, test, vi } from "vitest";
import type {
  Block,
  EventEnvelope,
  PendingBlock,
  PermissionRule,
  ResolvedBlock,
  Session,
  ToolPart,
  WireEvent,
} from "../../../schemas/index.js";
import { GatewayError } from "../../../src/gateway-error.js";
import { type BlockDesk, startPolicy } from "../../../src/policy/policy.js";
import type { GroupListener, Store } from "../../../src/store/store.js";
import { permission, question } from "../adapters/shared/draft.js";
import { session as sampleSession } from "../store/samples.js";

const SESSION = "ses_1";
const CHILD = "ses_2";
const OTHER = "ses_3";

/** A store that publishes what it is given, and a desk that writes down what it is asked to decide. */
class World implements BlockDesk {
  readonly replies: unknown[] = [];
  readonly errors: unknown[] = [];
  readonly #sessions = new Map<string, Session>();
  readonly #pending = new Map<string, PendingBlock>();
  readonly #listeners = new Set<GroupListener>();
  failure: Error | undefined;
  readonly stop: () => void;

  constructor(rules: PermissionRule[] = []) {
    const store = {
      subscribe: (listener: GroupListener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      session: (id: string) => this.#sessions.get(id),
    } as unknown as Store;
    const log = pino({ level: "error" }, { write: (line: string) => void this.errors.push(JSON.parse(line)) });
    this.stop = startPolicy({ store, desk: this, log, rules });
    worlds.push(this);
  }

  pendingBlocks(sessionID = SESSION): PendingBlock[] {
    // Like the gateway's: a root session tells its children's blocks too.
    return [...this.#pending.values()].filter((block) => sessionID === SESSION || block.sessionID === sessionID);
  }

  reply(params: { blockID: string; decision?: string | undefined }, decidedBy: string): void {
    if (this.failure) throw this.failure;
    this.#pending.delete(params.blockID);
    this.replies.push([params.blockID, params.decision, decidedBy]);
  }

  add(id: string, fields: Partial<Session>): void {
    this.#sessions.set(id, sampleSession(id, { directory: "/work", ...fields }));
  }

  /** Tells of a session's rules. */
  async rules(...permission: PermissionRule[]): Promise<void> {
    const info = sampleSession(SESSION, { permission, directory: "/work" });
    this.#sessions.set(SESSION, info);
    await this.tell({ type: "session.updated", properties: { sessionID: SESSION, info } });
  }

  async block(block: Block, sessionID = SESSION): Promise<void> {
    const part = this.wait(block, sessionID);
    await this.tell({ type: "message.part.updated", properties: { sessionID, part } });
  }

  /** A tool waits, of which no event tells. */
  wait(block: Block, sessionID = SESSION): ToolPart {
    const sessions = this.#sessions;
    if (!sessions.has(sessionID)) sessions.set(sessionID, sampleSession(sessionID, { directory: "/work" }));
    const part = toolPart(block.id, sessionID, { status: "blocked", input: {}, time: { start: 1 }, block });
    this.#pending.set(block.id, {
      sessionID,
      messageID: part.messageID,
      partID: part.id,
      callID: part.callID,
      tool: "bash",
      block,
    });
    return part;
  }

  async decided(block: ResolvedBlock, status: "error" | "running" = "error"): Promise<void> {
    this.#pending.delete(block.id);
    const state: ToolPart["state"] =
      status === "error"
        ? { status, input: {}, error: "no", time: { start: 1, end: 2 }, block }
        : { status, input: {}, time: { start: 1 }, block };
    await this.tell({
      type: "message.part.updated",
      properties: { sessionID: SESSION, part: toolPart(block.id, SESSION, state) },
    });
  }

  async tell(...events: WireEvent[]): Promise<void> {
    const group: EventEnvelope[] = events.map((event) => ({ event }));
    for (const listener of this.#listeners) listener(group);
    await Promise.resolve();
  }
}

const worlds: World[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.stop();
});

function toolPart(id: string, sessionID: string, state: ToolPart["state"]): ToolPart {
  return { id: `prt_${id}`, sessionID, messageID: "msg_1", type: "tool", callID: id, tool: "bash", state };
}

const rule = (action: PermissionRule["action"], pattern = "*"): PermissionRule => ({
  permission: "bash",
  pattern,
  action,
});
const rejected = (id: string, decidedBy: "user" | "rule" | "cascade" | "agent" | "shutdown"): ResolvedBlock => ({
  ...permission(id),
  decision: "reject",
  decidedBy,
  decidedAt: 1,
});

describe("rules", () => {
  test("decide what waited before they were there", async () => {
    const world = new World([rule("deny")]);
    world.wait(permission("a"));
    world.wait(permission("b"), CHILD);
    await Promise.resolve();
    expect(world.replies).toEqual([
      ["per_a", "reject", "rule"],
      ["per_b", "reject", "rule"],
    ]);
  });

  test.each([
    ["allow", [["per_a", "once", "rule"]]],
    ["deny", [["per_a", "reject", "rule"]]],
    ["ask", []],
  ] as const)("of the project that say %s decide a block, or leave it", async (action, replies) => {
    const world = new World([rule(action)]);
    await world.block(permission("a"));
    expect(world.replies).toEqual(replies);
  });

  test("of the session come after those of the project", async () => {
    const world = new World([rule("deny")]);
    await world.rules(rule("allow", "ls"));
    await world.block(permission("a"));
    expect(world.replies).toEqual([["per_a", "once", "rule"]]);
  });

  test("that come later decide what waits already: an always unblocks its sibling", async () => {
    const world = new World();
    await world.block(permission("a"));
    await world.block({ ...permission("b"), patterns: ["cat x"] });
    await world.rules({ ...rule("allow", "ls"), source: "approval" });
    expect(world.replies).toEqual([["per_a", "once", "rule"]]);
  });

  test("say nothing of questions", async () => {
    const world = new World([{ permission: "*", pattern: "*", action: "allow" }]);
    await world.block(question("q", "Which?"));
    expect(world.replies).toEqual([]);
  });

  test("say nothing of calls of the client", async () => {
    const world = new World([{ permission: "*", pattern: "*", action: "deny" }]);
    await world.block({ type: "call", id: "cal_c", name: "weather", input: {} });
    expect(world.replies).toEqual([]);
  });

  test("of a session say nothing of another's blocks", async () => {
    const world = new World();
    await world.block(permission("other"), OTHER);
    await world.rules(rule("allow"));
    expect(world.replies).toEqual([]);
  });

  test.each([
    { own: [], replies: [["per_a", "once", "rule"]], what: "hold below it" },
    { own: [rule("deny", "ls")], replies: [["per_a", "reject", "rule"]], what: "are narrowed by the child's" },
  ])("of a session $what", async ({ own, replies }) => {
    const world = new World();
    world.add(CHILD, { parentID: SESSION, permission: own });
    await world.rules(rule("allow"));
    await world.block(permission("a"), CHILD);
    expect(world.replies).toEqual(replies);
  });

  test("of a child take back nothing that its parent denies", async () => {
    const world = new World();
    world.add(CHILD, { parentID: SESSION, permission: [rule("allow", "ls")] });
    await world.rules(rule("deny"));
    await world.block(permission("a"), CHILD);
    expect(world.replies).toEqual([["per_a", "reject", "rule"]]);
  });

  test("that come later decide what waits in a child already", async () => {
    const world = new World();
    world.add(CHILD, { parentID: SESSION });
    await world.block(permission("a"), CHILD);
    await world.rules(rule("allow"));
    expect(world.replies).toEqual([["per_a", "once", "rule"]]);
  });
});

describe("a person's rejection", () => {
  test("takes the session's other permissions with it, and no question", async () => {
    const world = new World();
    for (const block of [permission("a"), permission("b"), question("q", "Which?")]) await world.block(block);
    await world.block(permission("child"), CHILD);
    await world.decided(rejected("a", "user"));
    expect(world.replies).toEqual([["per_b", "reject", "cascade"]]);
  });

  test.each(["rule", "cascade", "agent", "shutdown"] as const)(
    "is the only one that does: not one by %s",
    async (decidedBy) => {
      const world = new World();
      for (const id of ["a", "b"]) await world.block(permission(id));
      await world.decided(rejected("a", decidedBy));
      expect(world.replies).toEqual([]);
    },
  );

  test("of a question takes nothing with it", async () => {
    const world = new World();
    await world.block(permission("b"));
    await world.decided({ ...question("q", "Which?"), answers: [], rejected: true, decidedBy: "user", decidedAt: 1 });
    expect(world.replies).toEqual([]);
  });

  test("a tool that was allowed and failed takes nothing with it", async () => {
    const world = new World();
    await world.block(permission("b"));
    await world.decided({ ...rejected("a", "user"), decision: "once" } as ResolvedBlock);
    expect(world.replies).toEqual([]);
  });
});

describe("replies that fail", () => {
  test.each(["conflict", "not_found"] as const)("with %s: somebody was first", async (kind) => {
    const world = new World([rule("allow")]);
    world.failure = new GatewayError(kind, "decided already");
    await world.block(permission("a"));
    expect(world.errors).toEqual([]);
  });

  test.each([new GatewayError("internal", "broken"), new Error("broken")])(
    "with %s: the log says so, and the next is decided",
    async (failure) => {
      const world = new World([rule("allow")]);
      await Promise.resolve();
      world.failure = failure;
      await world.block(permission("a"));
      expect(world.errors).toMatchObject([{ blockID: "per_a", message: "broken" }]);
      world.failure = undefined;
      await world.block(permission("b"));
      expect(world.replies).toContainEqual(["per_b", "once", "rule"]);
    },
  );
});

test("a block is decided after the step that told it, not in its middle", async () => {
  const world = new World([rule("allow")]);
  const done = world.block(permission("a"));
  expect(world.replies).toEqual([]);
  await done;
  expect(world.replies).toHaveLength(1);
});

test("what is stopped decides nothing more, not even what it has heard", async () => {
  const world = new World([rule("allow")]);
  const decide = vi.spyOn(world, "reply");
  const told = world.block(permission("a"));
  world.stop();
  await told;
  await world.block(permission("b"));
  expect(decide).not.toHaveBeenCalled();
});
