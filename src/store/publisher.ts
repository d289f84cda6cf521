import type { EventEnvelope } from "../../schemas/index.js";
import type { LoggedEvent } from "./group-log.js";
import type { EventFilter, GroupListener } from "./store.js";

interface Subscriber {
  readonly listener: GroupListener;
  readonly filter: EventFilter;
}

/** Hands committed groups to the subscribers, one after the other. */
export class Publisher {
  readonly #subscribers = new Set<Subscriber>();
  readonly #waiting: (readonly LoggedEvent[])[] = [];
  #publishing = false;

  constructor(private readonly onError: (error: unknown) => void) {}

  subscribe(listener: GroupListener, filter: EventFilter): () => void {
    const subscriber = { listener, filter };
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  /** A listener may write, read or flush: what it causes is heard by all after what they hear now. */
  publish(group: readonly LoggedEvent[]): void {
    if (group.length > 0) this.#waiting.push(group);
    if (this.#publishing) return;
    this.#publishing = true;
    try {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) this.#deliver(next);
    } finally {
      this.#publishing = false;
    }
  }

  /** Subscribers with the same filter are handed the same array, so that it need be encoded only once. */
  #deliver(group: readonly LoggedEvent[]): void {
    const bySession = new Map<string | undefined, readonly EventEnvelope[]>();
    for (const subscriber of [...this.#subscribers]) {
      const { sessionID } = subscriber.filter;
      const events = bySession.get(sessionID) ?? select(group, sessionID);
      bySession.set(sessionID, events);
      if (events.length > 0 && this.#subscribers.has(subscriber)) this.#call(subscriber.listener, events);
    }
  }

  #call(listener: GroupListener, events: readonly EventEnvelope[]): void {
    try {
      listener(events);
    } catch (error) {
      this.onError(error);
    }
  }
}

function select(group: readonly LoggedEvent[], sessionID: string | undefined): readonly EventEnvelope[] {
  const heard = sessionID === undefined ? group : group.filter(({ lineage }) => lineage.includes(sessionID));
  return heard.map(({ envelope }) => envelope);
}
