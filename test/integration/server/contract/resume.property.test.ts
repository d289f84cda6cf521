import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import type { Cursor } from "../../../../schemas/index.js";
import { createServerCore } from "../../../../src/server/server-core.js";
import { openStore } from "../../../../src/store/open-store.js";
import { finalDocument, reduce } from "../../../../src/store/reduce.js";
import { sessionCreated } from "../../../unit/server/events.js";
import { WireClient } from "../../../unit/server/wire-client.js";
import { legalEvents } from "../../../unit/store/legal-events.js";
import type { Peer, Served, TransportUnderTest } from "./peer.js";
import { readEverything, storeReader } from "./store-reader.js";
import { TRANSPORTS } from "./transports.js";
import { UnsteadyLink } from "./unsteady-link.js";

/** Fixed, so that a run tells about the code and not about luck. */
const RUNS = { numRuns: Number(process.env.LAW_RUNS ?? 30), seed: Number(process.env.LAW_SEED ?? 20_261_130) };
const LAST = "ses_last";

/** So small that a few rows take several frames. */
const limits = { pageBytes: 1_500, frameLength: 400, pieceLength: 100 };

/** What happens after an event has been written. */
const moment = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ do: "nothing" } as const) },
  { weight: 3, arbitrary: fc.constant({ do: "wait" } as const) },
  { weight: 1, arbitrary: fc.constant({ do: "flush" } as const) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("cut" as const), bytes: fc.nat(1_500) }) },
);

const story = fc.record({
  events: legalEvents,
  moments: fc.array(moment, { minLength: 5, maxLength: 60, size: "max" }),
  keepTombstones: fc.constantFrom(1, 1_000),
});
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

/** A client that comes back with its cursor whenever its connection breaks, and reads everything anew when it must. */
class Wanderer {
  readonly client = new WireClient();
  returns = -1;
  /** It has come back, and hears what comes. */
  present = false;
  private cursor: Cursor | undefined;
  /** Has not read what was there before its cursor: it is new, or was told of a gap. */
  private ignorant = true;

  constructor(
    private readonly served: Served,
    private readonly port: number,
  ) {}

  get done(): boolean {
    return !this.ignorant && this.client.state.sessions[LAST] !== undefined;
  }

  async wander(): Promise<void> {
    while (!this.done) {
      await this.visit().catch(() => setImmediate());
      this.present = false;
    }
  }

  private async visit(): Promise<void> {
    this.returns++;
    const peer = await this.served.connect(this.port);
    const after = this.client.cursor ?? this.cursor;
    // What comes together with the answer is already in the client when it goes on.
    const known = this.client.events.length;
    const heard = await peer.subscribe(after === undefined ? {} : { after }, this.client);
    this.cursor ??= heard.result.cursor as Cursor;
    this.ignorant ||= heard.result.gap === true;
    if (this.ignorant) await this.readAnew(peer, known);
    this.present = true;
    await heard.until(() => this.done || heard.lost);
  }

  private async readAnew(peer: Peer, known: number): Promise<void> {
    const read = await readEverything(peer);
    this.client.state = this.client.events.slice(known).reduce(reduce, read);
    this.ignorant = false;
  }
}

async function play(transport: TransportUnderTest, { events, moments, keepTombstones }: Story) {
  const store = openStore({ path: ":memory:", keepTombstones });
  const log = pino({ level: "silent" });
  const core = createServerCore({ handler: storeReader(store), store, version: "1.2.3", log, limits });
  const served = await transport.serve(core);
  const link = await UnsteadyLink.open(served.port);
  try {
    const steady = await (await served.connect()).subscribe();
    let published = 0;
    store.subscribe((group) => {
      published += group.length;
    });
    const wanderer = new Wanderer(served, link.port);
    const wandering = wanderer.wander();
    for (const [at, event] of events.entries()) {
      store.write({ sessionID: event.properties.sessionID, events: [event] });
      const now = moments[at % moments.length];
      if (now?.do === "cut") link.cutAfter(now.bytes);
      if (now?.do === "flush" || now?.do === "wait") store.flush();
      if (now?.do === "wait") await steady.until(() => steady.client.events.length >= published);
      while (now?.do === "wait" && !wanderer.present) await setImmediate();
    }
    store.write({ sessionID: LAST, events: [sessionCreated(LAST)] });
    await steady.until(() => steady.client.state.sessions[LAST] !== undefined);
    await wandering;
    const stored = await readEverything(await served.connect());
    return { steady: steady.client, wanderer, stored };
  } finally {
    await link.close();
    await served.stop();
    store.close();
  }
}

describe.each(TRANSPORTS)("over $name", (transport) => {
  test("who is cut off at any byte and comes back with its cursor ends as one that never left", async () => {
    let returns = 0;
    await fc.assert(
      fc.asyncProperty(story, async (told) => {
        const { steady, wanderer, stored } = await play(transport, told);
        returns += wanderer.returns;
        const final = finalDocument(stored);
        expect(finalDocument(steady.state)).toEqual(final);
        expect(finalDocument(wanderer.client.state)).toEqual(final);
      }),
      RUNS,
    );
    // It did break.
    expect(returns).toBeGreaterThan(RUNS.numRuns / 2);
  }, 120_000);
});
