import type { Logger } from "pino";
import type { Cursor, EventEnvelope, Params, Result } from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import { CLOSE_CODES } from "./close-codes.js";
import type { EventFraming } from "./event-framing.js";
import { EventGroup } from "./event-group.js";
import type { EventSource } from "./event-source.js";
import type { Outlet, TransportName } from "./outlet.js";
import { RpcEventFraming } from "./rpc-event-framing.js";
import type { ServerLimits } from "./server-limits.js";
import { SessionSet } from "./session-set.js";
import { Subscriber } from "./subscriber.js";

/** The subscribers of one filter: what they are sent is chosen and encoded once. */
interface Feed {
  readonly sessions: SessionSet | undefined;
  readonly subscribers: Set<Subscriber>;
}

export interface Subscription {
  readonly subscriber: Subscriber;
  readonly result: Result<"events.subscribe">;
}

/** Sends every group that the store publishes to the subscribers of all transports. */
export class Publisher {
  private readonly feeds = new Map<string | undefined, Feed>();
  private readonly stopListening: () => void;
  private lastID = 0;
  /** How often a client was too slow, and how often one was behind for longer than removals are remembered. */
  readonly counts = { overflows: 0, gaps: 0 };

  constructor(
    private readonly store: EventSource,
    private readonly limits: ServerLimits,
    private readonly log: Logger,
  ) {
    this.stopListening = store.subscribe((group) => this.publish(group));
  }

  /** Hears the store no more. Subscribers end with their connections. */
  close(): void {
    this.stopListening();
  }

  /** How many subscribers each transport has. */
  subscribers(): ReadonlyMap<TransportName, number> {
    const numbers = new Map<TransportName, number>();
    for (const feed of this.feeds.values()) {
      for (const { transport } of feed.subscribers) numbers.set(transport, (numbers.get(transport) ?? 0) + 1);
    }
    return numbers;
  }

  /** Adds a subscriber, which is silent until it is started. Without a framing, what it is sent are notifications. */
  subscribe(outlet: Outlet, params: Params<"events.subscribe">, framing?: EventFraming): Subscription {
    const { sessionID, after } = params;
    if (sessionID !== undefined && !this.store.session(sessionID)) {
      throw new GatewayError("not_found", `There is no session ${sessionID}`, { field: "sessionID" });
    }
    const filter = sessionID === undefined ? {} : { sessionID };
    const gap = after !== undefined && this.store.changesAfter(after, filter, 1).gap;
    if (gap) this.counts.gaps += 1;
    const feed = this.feedOf(sessionID);
    const cursor: Cursor = after === undefined || gap ? this.store.cursor : after;
    const id = `sub_${++this.lastID}`;
    const subscriber: Subscriber = new Subscriber({
      id,
      outlet,
      framing: framing ?? new RpcEventFraming(id),
      store: this.store,
      filter,
      limits: this.limits,
      cursor,
      onOverflow: () => this.overflowed(subscriber, outlet),
      onLost: (why, cause) => this.cutOff(id, outlet, why, cause),
      onEnd: () => this.leave(sessionID, subscriber),
    });
    feed.subscribers.add(subscriber);
    return { subscriber, result: { subscriptionID: id, cursor, gap } };
  }

  private feedOf(sessionID: string | undefined): Feed {
    let feed = this.feeds.get(sessionID);
    if (!feed) {
      const sessions = sessionID === undefined ? undefined : new SessionSet(this.store, sessionID);
      feed = { sessions, subscribers: new Set() };
      this.feeds.set(sessionID, feed);
    }
    return feed;
  }

  private leave(sessionID: string | undefined, subscriber: Subscriber): void {
    const feed = this.feeds.get(sessionID);
    feed?.subscribers.delete(subscriber);
    if (feed?.subscribers.size === 0) this.feeds.delete(sessionID);
  }

  private publish(events: readonly EventEnvelope[]): void {
    const all = new EventGroup(events);
    for (const { sessions, subscribers } of [...this.feeds.values()]) {
      const group = sessions ? all.filter(({ event }) => sessions.admits(event)) : all;
      for (const subscriber of [...subscribers]) this.offer(subscriber, group);
    }
  }

  /** One subscriber's trouble is not that of the others, nor of the store that publishes. */
  private offer(subscriber: Subscriber, group: EventGroup): void {
    try {
      subscriber.offer(group);
    } catch (cause) {
      subscriber.fail(cause);
    }
  }

  /** A warning once for each subscriber: a client that reads just too slowly is behind again and again. */
  private overflowed(subscriber: Subscriber, { transport, pendingBytes }: Outlet): void {
    this.counts.overflows += 1;
    const level = subscriber.overflows === 1 ? "warn" : "debug";
    this.log[level]({ subscriptionID: subscriber.id, transport, pendingBytes }, "a client reads too slowly");
  }

  private cutOff(id: string, outlet: Outlet, why: "gap" | "failed", cause: unknown): void {
    if (why === "failed") {
      this.log.error({ err: cause, subscriptionID: id }, "events could not be sent");
      outlet.close(CLOSE_CODES.failed, "the gateway could not read its events");
      return;
    }
    this.counts.gaps += 1;
    this.log.warn({ subscriptionID: id }, "a client was behind for too long");
    outlet.close(CLOSE_CODES.resubscribe, "too far behind: subscribe again and read the messages anew");
  }
}
