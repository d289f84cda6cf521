import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Cursor, EventEnvelope, WireEvent } from "../../../schemas/index.js";
import { openStore } from "../../../src/store/open-store.js";
import { EMPTY_STATE, finalDocument, reduce, type WireState } from "../../../src/store/reduce.js";
import type { EventFilter, Store } from "../../../src/store/store.js";
import { closeAll, legalEvents, reduceAll } from "./legal-events.js";
import { ManualClock } from "./manual-clock.js";

/** What a client has: all it heard, and the last cursor it was given. */
interface Client {
  readonly state: WireState;
  readonly cursor: Cursor | undefined;
}

const NOBODY: Client = { state: EMPTY_STATE, cursor: undefined };
const EVERYTHING = 1e9;
/** Fixed, so that a run tells about the code and not about luck. */
const RUNS = { numRuns: Number(process.env.LAW_RUNS ?? 150), seed: Number(process.env.LAW_SEED ?? 20_251_130) };

/** What may happen beside the events: where groups end, time passes, pages end and connections break. */
const weather = fc.record({
  seed: fc.array(fc.nat(999), { minLength: 5, maxLength: 40, size: "max" }),
  keepTombstones: fc.constantFrom(1, 3, 1000),
});
type Weather = typeof weather extends fc.Arbitrary<infer T> ? T : never;

function hear(client: Client, envelopes: readonly EventEnvelope[]): Client {
  return envelopes.reduce<Client>(
    ({ state, cursor }, envelope) => ({ state: reduce(state, envelope.event), cursor: envelope.cursor ?? cursor }),
    client,
  );
}

class Stage {
  readonly clock = new ManualClock();
  readonly store: Store;
  #seen: WireState = EMPTY_STATE;
  #turn = 0;

  constructor(private readonly weather: Weather) {
    const { keepTombstones } = weather;
    const onError = (error: Error) => expect.fail(error.message);
    this.store = openStore({ path: ":memory:", clock: this.clock, keepTombstones, onError });
  }

  get final() {
    return finalDocument(this.#seen);
  }

  get seen(): WireState {
    return this.#seen;
  }

  chance(): number {
    this.#turn += 1;
    return this.weather.seed[this.#turn % this.weather.seed.length] ?? 0;
  }

  write(event: WireEvent): void {
    const before = this.#seen;
    this.#seen = reduce(before, event);
    const sessionID =
      rootOf(event.properties.sessionID, this.#seen) ?? rootOf(event.properties.sessionID, before) ?? "ses_0";
    const checkpoint = this.chance() % 4 === 0 && {
      checkpoint: { state: { n: this.#turn }, epoch: 1, seq: this.#turn },
    };
    this.store.write({ sessionID, events: [event], ...checkpoint });
    const chance = this.chance();
    if (chance % 3 === 0) this.clock.endTick();
    if (chance % 7 === 0) this.store.flush();
    if (chance % 5 === 0) this.clock.advance(130);
  }

  /** Reads to the end, with the connection breaking within a page and `between` happening after each page. */
  catchUp(client: Client, filter: EventFilter, maxBytes: number, between: () => void = () => {}): Client {
    for (let now = client; ; between()) {
      const page = this.store.changesAfter(now.cursor, filter, maxBytes);
      if (page.gap) {
        now = NOBODY;
        continue;
      }
      const cut = this.chance() % 6 === 0 ? this.chance() % Math.max(page.events.length, 1) : undefined;
      if (cut !== undefined && cut > 0) {
        now = hear(now, page.events.slice(0, cut));
        continue;
      }
      now = { ...hear(now, page.events), cursor: page.cursor };
      if (!page.more) return now;
    }
  }

  /** Tells the events and keeps what a client had heard after each of them. */
  tell(events: readonly WireEvent[], filter: EventFilter = {}): Client[] {
    const moments = [NOBODY];
    const stop = this.listen((envelope) => moments.push(hear(moments.at(-1) ?? NOBODY, [envelope])), filter);
    for (const event of events) this.write(event);
    this.store.flush();
    stop();
    return moments;
  }

  listen(listener: (envelope: EventEnvelope) => void, filter: EventFilter = {}): () => void {
    return this.store.subscribe((group) => group.forEach(listener), filter);
  }
}

function storeDocument(store: Store) {
  const roots = store.sessions({ limit: 1000 });
  const below = (id: string): string[] => store.children(id).flatMap((child) => [child.id, ...below(child.id)]);
  const ids = roots.flatMap((root) => [root.id, ...below(root.id)]);
  const sessions = ids.map((id) => ({
    info: store.session(id),
    messages: store.messages(id, { limit: 1000 }),
    todos: store.todos(id),
  }));
  return { sessions: sessions.sort((a, b) => order(a.info, b.info)) };
}

type Created = { id: string; time: { created: number } } | undefined;
function order(a: Created, b: Created): number {
  if (a === undefined || b === undefined) return 0;
  return a.time.created - b.time.created || (a.id < b.id ? -1 : 1);
}

function rootOf(sessionID: string, state: WireState): string | undefined {
  const info = state.sessions[sessionID]?.info;
  return info?.parentID === undefined ? info?.id : rootOf(info.parentID, state);
}

/** The part of a state that a filter lets through. */
function within(state: WireState, sessionID: string) {
  const isWithin = (id: string | undefined): boolean =>
    id !== undefined && (id === sessionID || isWithin(state.sessions[id]?.info.parentID));
  const kept = Object.entries(state.sessions).filter(([id]) => isWithin(id));
  return finalDocument({ sessions: Object.fromEntries(kept) });
}

const sessionIDs = (events: readonly WireEvent[]) => [...new Set(events.map((event) => event.properties.sessionID))];

describe("laws of reduce", () => {
  it("idempotent: each event applied twice is the same as once", () => {
    fc.assert(
      fc.property(legalEvents, (events) => {
        const twice = events.reduce((state, event) => {
          const once = reduce(state, event);
          expect(reduce(once, event)).toBe(once);
          return once;
        }, EMPTY_STATE);
        expect(finalDocument(twice)).toEqual(finalDocument(reduceAll(events)));
      }),
      RUNS,
    );
  });

  it("deltas optional: without any delta the end is the same", () => {
    fc.assert(
      fc.property(legalEvents, (told) => {
        const events = [...told, ...closeAll(reduceAll(told))];
        const whole = events.filter((event) => event.type !== "message.part.delta");
        expect(finalDocument(reduceAll(whole))).toEqual(finalDocument(reduceAll(events)));
      }),
      RUNS,
    );
  });
});

describe("laws of the store", () => {
  it("its rows are what reduce makes of the same events", () => {
    fc.assert(
      fc.property(legalEvents, weather, (events, conditions) => {
        const stage = new Stage(conditions);
        stage.tell(events);
        expect(storeDocument(stage.store)).toEqual(stage.final);
        stage.store.close();
      }),
      RUNS,
    );
  });

  it("who hears everything knows everything, and twice is the same as once", () => {
    fc.assert(
      fc.property(legalEvents, weather, (told, conditions) => {
        const stage = new Stage(conditions);
        const events = told.flatMap((event) => [event, event]);
        expect(finalDocument(stage.tell(events).at(-1)?.state ?? EMPTY_STATE)).toEqual(stage.final);
        expect(stage.final).toEqual(finalDocument(reduceAll(told)));
        expect(storeDocument(stage.store)).toEqual(stage.final);
        stage.store.close();
      }),
      RUNS,
    );
  });

  it("sync: from every cursor, in one page or in many, one ends with the same state", () => {
    fc.assert(
      fc.property(legalEvents, weather, (events, conditions) => {
        const stage = new Stage(conditions);
        const moments = stage.tell(events);
        for (const moment of moments) {
          expect(finalDocument(stage.catchUp(moment, {}, EVERYTHING).state)).toEqual(stage.final);
          expect(finalDocument(stage.catchUp(moment, {}, 1).state)).toEqual(stage.final);
        }
        stage.store.close();
      }),
      RUNS,
    );
  });

  it("sync: with writes between the pages and events heard live afterwards", () => {
    fc.assert(
      fc.property(legalEvents, weather, fc.nat(), fc.nat(), (events, conditions, share, which) => {
        const stage = new Stage(conditions);
        const before = share % (events.length + 1);
        const moments = stage.tell(events.slice(0, before));
        const left = events.slice(before);
        const writeNext = () => {
          const event = left.shift();
          if (event !== undefined) stage.write(event);
        };
        let client = stage.catchUp(moments[which % moments.length] ?? NOBODY, {}, 1, writeNext);
        stage.listen((envelope) => {
          client = hear(client, [envelope]);
        });
        while (left.length > 0) writeNext();
        stage.store.flush();
        expect(finalDocument(client.state)).toEqual(stage.final);
        stage.store.close();
      }),
      RUNS,
    );
  });

  it("sync: who asks for one session hears it and its descendants, and nothing else", () => {
    fc.assert(
      fc.property(legalEvents, weather, fc.nat(), (events, conditions, which) => {
        const stage = new Stage(conditions);
        const ids = sessionIDs(events);
        const sessionID = ids[which % ids.length] ?? "ses_0";
        for (const moment of stage.tell(events, { sessionID })) {
          for (const maxBytes of [1, EVERYTHING]) {
            const { state } = stage.catchUp(moment, { sessionID }, maxBytes);
            expect(finalDocument(state)).toEqual(within(stage.seen, sessionID));
          }
        }
        stage.store.close();
      }),
      RUNS,
    );
  });

  it("cursors ascend", () => {
    fc.assert(
      fc.property(legalEvents, weather, (events, conditions) => {
        const stage = new Stage(conditions);
        const cursors: Cursor[] = [];
        stage.listen(({ cursor }) => cursor !== undefined && cursors.push(cursor));
        stage.tell(events);
        expect(cursors).toEqual([...new Set(cursors)].sort());
        stage.store.close();
      }),
      RUNS,
    );
  });
});
