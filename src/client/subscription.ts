import type { Cursor, EventBatch, EventEnvelope, Params, Result } from "../../schemas/index.js";
import { type BackoffOptions, backoff } from "./backoff.js";
import { type AgentwireError, connectionError } from "./client-error.js";
import type { Link } from "./link.js";
import { readSnapshot } from "./read-snapshot.js";
import type { ClientEvent } from "./reduce-client.js";

export interface EventsOptions {
  /** Only this session and its children. */
  readonly sessionID?: string;
  /** First what changed after a cursor. */
  readonly after?: Cursor;
  /**
   * Begin with a `snapshot` of everything, and give another one where a gap has been. Without it a gap is told as a `gap`.
   */
  readonly snapshot?: boolean;
  /** Hears that the connection was lost, and why, and then (without one) that it is there again. */
  readonly onConnection?: (lost?: AgentwireError) => void;
}

export interface SubscriptionOptions extends EventsOptions {
  readonly link: Link;
  readonly reconnect: BackoffOptions;
  readonly onEnd: () => void;
}

interface Item {
  readonly event: ClientEvent;
  readonly cursor?: Cursor | undefined;
}

interface Taker {
  resolve(result: IteratorResult<ClientEvent, undefined>): void;
  reject(error: unknown): void;
}

/** Events that are not taken are dropped beyond this many: what changed meanwhile is then asked for when they are taken. */
const MAX_WAITING = 10_000;

/**
 * Events as an async iterator. It outlives its connection: after each break it goes on from the last cursor, so that whoever
 * reduces what it gives ends with the same state as one that was never cut off.
 */
export class Subscription implements AsyncIterableIterator<ClientEvent> {
  /** Resolves when the gateway has taken the subscription for the first time: whatever is sent after it will be heard. */
  readonly opened: Promise<void>;
  /** The last cursor that was taken: where another subscription would go on from. */
  cursor: Cursor | undefined;
  private received: Cursor | undefined;
  /** Where this connection began: what is read after it holds all that was before. */
  private begun: Cursor | undefined;
  private waiting: Item[] = [];
  private takers: Taker[] = [];
  private failure: AgentwireError | undefined;
  private over = false;
  /** What was there before the cursor must be read: the subscription is new, or was told of a gap. */
  private mustRead: boolean;
  /** Events that came while everything is being read. */
  private held: Item[] | undefined;
  private dropped = false;
  private end: (() => void) | undefined;
  private wake: (() => void) | undefined;
  private resolveOpened: () => void = () => {};

  constructor(private readonly options: SubscriptionOptions) {
    this.cursor = this.received = options.after;
    this.mustRead = options.snapshot === true && options.after === undefined;
    this.opened = new Promise((resolve) => {
      this.resolveOpened = resolve;
    });
    void this.run();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<ClientEvent, undefined>> {
    const item = this.waiting.shift();
    if (item) return Promise.resolve({ done: false, value: this.take(item) });
    if (this.failure) return Promise.reject(this.failure);
    if (this.over) return Promise.resolve({ done: true, value: undefined });
    if (this.dropped) this.comeBack();
    return new Promise((resolve, reject) => this.takers.push({ resolve, reject }));
  }

  /** Ends the subscription; a loop over it ends, too. */
  return(): Promise<IteratorResult<ClientEvent, undefined>> {
    this.stop();
    return Promise.resolve({ done: true, value: undefined });
  }

  stop(): void {
    this.finish(undefined);
  }

  /** Reads everything anew, for whoever found a hole. */
  refresh(): void {
    this.mustRead = true;
    this.breakOff();
  }

  private async run(): Promise<void> {
    let isLost = false;
    for (let attempt = 0; !this.over; attempt++) {
      if (this.dropped) await this.untilWanted();
      try {
        await this.visit(() => {
          attempt = 0;
          if (isLost) this.options.onConnection?.();
          isLost = false;
        });
      } catch (cause) {
        const error = connectionError(cause);
        if (!error.isTemporary) return this.finish(error);
        if (!isLost) this.options.onConnection?.(error);
        isLost = true;
        await backoff(attempt, this.options.reconnect);
      }
    }
  }

  private untilWanted(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  /** One connection, from its beginning until it is lost, which throws, or left. */
  private async visit(onOpen: () => void): Promise<void> {
    const { link, sessionID } = this.options;
    let visiting = true;
    let leave: (error?: AgentwireError) => void = () => {};
    const left = new Promise<void>((resolve, reject) => {
      leave = (error) => (error ? reject(error) : resolve());
    });
    left.catch(() => {});
    this.wake = () => leave();
    this.held = undefined;
    const params: Params<"events.subscribe"> = {
      ...(sessionID !== undefined && { sessionID }),
      ...(this.received !== undefined && { after: this.received }),
    };
    try {
      this.end = await link.subscribe(params, {
        opened: (result) => this.open(result),
        batch: (batch) => visiting && !this.dropped && this.hear(batch),
        lost: (error) => leave(error),
      });
      this.resolveOpened();
      onOpen();
      if (this.held) await this.read();
      if (!this.over) await left;
    } finally {
      visiting = false;
      this.end?.();
      this.end = undefined;
    }
  }

  private open({ cursor, gap }: Result<"events.subscribe">): void {
    if (gap) this.mustRead = this.options.snapshot === true;
    if (gap && !this.mustRead) this.put({ event: { type: "gap", properties: {} }, cursor });
    if (gap || this.received === undefined) this.received = cursor;
    this.begun = this.received;
    if (this.mustRead) this.held = [];
    else this.cursor ??= cursor;
  }

  private async read(): Promise<void> {
    const { link, sessionID } = this.options;
    const state = await readSnapshot(link, sessionID);
    const held = this.held ?? [];
    this.held = undefined;
    this.mustRead = false;
    // What waits is older than what was read.
    this.waiting = [];
    this.put({ event: { type: "snapshot", properties: { state } }, cursor: this.begun });
    for (const item of held) this.put(item);
  }

  private hear({ events }: EventBatch): void {
    for (const { cursor, event } of events as EventEnvelope[]) {
      if (cursor !== undefined) this.received = cursor;
      if (this.held) this.held.push({ event, cursor });
      else this.put({ event, cursor });
    }
    if (this.waiting.length > MAX_WAITING) this.drop();
  }

  private put(item: Item): void {
    const taker = this.takers.shift();
    if (taker) taker.resolve({ done: false, value: this.take(item) });
    else this.waiting.push(item);
  }

  private take({ event, cursor }: Item): ClientEvent {
    if (cursor !== undefined) this.cursor = cursor;
    return event;
  }

  /** Nobody takes them. What was taken last is where to go on from, once somebody does; until then nothing is asked for. */
  private drop(): void {
    this.waiting = [];
    this.dropped = true;
    this.received = this.cursor;
    if (this.received === undefined) this.mustRead = this.options.snapshot === true;
    this.breakOff();
  }

  private comeBack(): void {
    this.dropped = false;
    this.wake?.();
  }

  private breakOff(): void {
    this.end?.();
    this.wake?.();
  }

  private finish(error: AgentwireError | undefined): void {
    if (this.over) return;
    this.over = true;
    // A client that is closed ends its loops; anything else is told to them.
    if (error && error.kind !== "closed") this.failure = error;
    if (!error) this.waiting = [];
    this.breakOff();
    this.resolveOpened();
    for (const { resolve, reject } of this.takers.splice(0)) {
      if (this.failure) reject(this.failure);
      else resolve({ done: true, value: undefined });
    }
    this.options.onEnd();
  }
}
