import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Session, WireEvent } from "../../../schemas/index.js";
import { Gateway } from "../../../src/session/gateway.js";
import { Retention } from "../../../src/session/retention.js";
import * as make from "../store/samples.js";
import { Bench } from "./bench.js";

const DAY = 24 * 60 * 60 * 1000;
const HOUR = 60 * 60 * 1000;
/** Later than any time of the samples by far. */
const TODAY = 100 * DAY;

/** A clock that goes when told to, and waits until what it called is done. */
class PlayedClock {
  time = TODAY;
  waiting: { readonly ms: number; readonly run: () => void } | undefined;

  now = () => this.time;

  later = (run: () => void, ms: number) => {
    this.waiting = { run, ms };
    return () => {
      this.waiting = undefined;
    };
  };

  /** Lets the next thing happen; returns how long it had to be waited for. */
  async next(): Promise<number> {
    const { waiting } = this;
    if (!waiting) throw new Error("nothing is waited for");
    this.waiting = undefined;
    this.time += waiting.ms;
    waiting.run();
    await new Promise((resolve) => setImmediate(resolve));
    return waiting.ms;
  }
}

let bench: Bench;
let gateway: Gateway;
let clock: PlayedClock;
let retention: Retention;
let told: unknown[];

beforeEach(() => {
  bench = new Bench();
  gateway = new Gateway(bench.options);
  clock = new PlayedClock();
  told = [];
  const log = { info: (what: unknown) => told.push(what), error: (what: unknown) => told.push(what) } as never;
  const expire = (id: string, since: number) => gateway.expire(id, since);
  retention = new Retention({ store: bench.store, expire, keepDays: 30, log, clock });
});
afterEach(async () => {
  retention.stop();
  await gateway.close();
  bench.dispose();
});

/** A session that was last used so many days ago. */
function used(id: string, daysAgo: number, changes: Partial<Session> = {}, events: readonly WireEvent[] = []): void {
  const at = TODAY - daysAgo * DAY;
  const info = make.session(id, { time: { created: at, updated: at }, ...changes });
  bench.store.write({ sessionID: id, events: [make.created(info), ...events] });
  bench.store.flush();
}

/** Runs the sweep that is due to its end. */
async function sweep(): Promise<void> {
  while ((await clock.next()) >= 0) if ((clock.waiting?.ms ?? 0) >= HOUR) return;
}

const ids = () => bench.store.sessions({ limit: 1000 }).map(({ id }) => id);

describe("sessions that nobody has used for long", () => {
  test("are deleted with all below them, and told like any deletion", async () => {
    used("ses_old", 31);
    used("ses_child", 31, { parentID: "ses_old" });
    used("ses_archived", 40, { time: { created: 0, updated: 0, archived: TODAY - 31 * DAY } });
    used("ses_new", 29);
    const heard: string[] = [];
    bench.store.subscribe((group) => {
      for (const { event } of group) heard.push(`${event.type} ${event.properties.sessionID}`);
    });
    const { cursor } = bench.store;
    retention.start();
    await sweep();
    expect(ids()).toEqual(["ses_new"]);
    const deleted = ["ses_archived", "ses_child", "ses_old"].map((id) => `session.deleted ${id}`);
    expect(heard).toEqual(deleted);
    const missed = bench.store.changesAfter(cursor, {}, 1e9).events.map(({ event }) => event);
    expect(missed.map(({ type, properties }) => `${type} ${properties.sessionID}`)).toEqual(deleted);
    expect(told).toEqual([{ sessions: 2, keepDays: 30 }]);
  });

  test("are looked for at the start, and then every hour", async () => {
    used("ses_almost", 30 - 1 / 48);
    retention.start();
    expect(await clock.next()).toBe(0);
    expect(ids()).toEqual(["ses_almost"]);
    expect(told).toEqual([]);
    expect(await clock.next()).toBe(HOUR);
    expect(ids()).toEqual([]);
    expect(clock.waiting?.ms).toBe(HOUR);
  });

  test("go a few at a time, so that all else goes on", async () => {
    for (let i = 0; i < 35; i++) used(`ses_${i}`, 50 + i);
    retention.start();
    const left: number[] = [];
    do {
      await clock.next();
      left.push(ids().length);
    } while ((clock.waiting?.ms ?? 0) < HOUR);
    expect(left).toEqual([25, 15, 5, 0]);
    expect(told).toEqual([{ sessions: 35, keepDays: 30 }]);
  });

  test("are left while anything of them is new, waits, works or is followed", async () => {
    const part = (sessionID: string, state: make.ToolPart["state"]) =>
      make.partUpdated(make.toolPart({ sessionID, messageID: `msg_${sessionID}`, id: `prt_${sessionID}` }, state));
    const answer = (sessionID: string, created: number, completed?: number) => {
      const info = make.assistantMessage(sessionID, `msg_${sessionID}`);
      return make.message({ ...info, time: { created, ...(completed !== undefined && { completed }) } });
    };
    const before = TODAY - 31 * DAY;
    const after = TODAY - DAY;
    used("ses_busy", 31, { status: { type: "busy" } });
    used("ses_attached", 31, { metadata: { attached: true } });
    used("ses_asks", 31, {}, [answer("ses_asks", before), part("ses_asks", make.blocked("per_1"))]);
    used("ses_prompted", 31, {}, [answer("ses_prompted", after)]);
    used("ses_answered", 31, {}, [answer("ses_answered", before, after)]);
    used("ses_parent", 31);
    used("ses_new_child", 1, { parentID: "ses_parent" });
    used("ses_boss", 31);
    used("ses_busy_child", 31, { parentID: "ses_boss", status: { type: "busy" } });
    const all = ids();
    expect(all).toHaveLength(7);
    retention.start();
    await sweep();
    expect(ids()).toEqual(all);
  });

  test("are left while their agent runs: it may do something for itself", async () => {
    const { session } = await gateway.handle("session.create", { agent: "claude", directory: bench.folder });
    const prompt = { sessionID: session.id, parts: [{ type: "text" as const, text: "go" }] };
    await gateway.handle("session.prompt", prompt);
    await bench.agent.answer("n1");
    expect(bench.store.session(session.id)?.status).toEqual({ type: "idle" });
    clock.time = Date.now() + 31 * DAY;
    retention.start();
    await sweep();
    expect(ids()).toEqual([session.id]);
    bench.agent.exit();
    await sweep();
    expect(ids()).toEqual([]);
    await expect(gateway.handle("session.prompt", prompt)).rejects.toMatchObject({ kind: "not_found" });
  });

  test("are left where somebody uses them at the last moment", async () => {
    used("ses_1", 31);
    used("ses_2", 31);
    const since = TODAY - 30 * DAY;
    bench.store.write({
      sessionID: "ses_1",
      events: [make.updated(make.session("ses_1", { time: { created: 1, updated: TODAY } }))],
    });
    expect(await gateway.expire("ses_1", since)).toBe(false);
    expect(await gateway.expire("ses_2", since)).toBe(true);
    expect(await gateway.expire("ses_2", since)).toBe(false);
    expect(ids()).toEqual(["ses_1"]);
  });
});

test("a failure is logged, and the next hour tries again", async () => {
  used("ses_1", 31);
  let fail = true;
  const expire = (id: string, since: number) => {
    if (fail) throw new Error("no space");
    return gateway.expire(id, since);
  };
  const log = { info: () => {}, error: ({ error }: { error: Error }) => told.push(error.message) } as never;
  retention = new Retention({ store: bench.store, expire, keepDays: 30, log, clock });
  retention.start();
  await sweep();
  expect(told).toEqual(["no space"]);
  fail = false;
  await sweep();
  expect(ids()).toEqual([]);
});

test("nothing more happens once it is stopped", async () => {
  for (let i = 0; i < 20; i++) used(`ses_${i}`, 50 + i);
  retention.start();
  await clock.next();
  expect(ids()).toHaveLength(10);
  retention.stop();
  expect(clock.waiting).toBeUndefined();
});
