import type { EventEnvelope, Finish, WireEvent } from "../../schemas/index.js";
import { EVENT_DURABILITY, type WireEventType } from "../../schemas/index.js";

/** `none`: a turn that ended before the agent answered anything. */
export type TurnFinish = Finish | "none";

/** What a store has published: events by their type, and the turns that they tell the end of. */
export class EventCounts {
  readonly events = Object.fromEntries(Object.keys(EVENT_DURABILITY).map((type) => [type, 0])) as Record<
    WireEventType,
    number
  >;
  readonly turns = new Map<TurnFinish, number>();
  /** How the last answer of each session ended whose turn goes on. */
  readonly #running = new Map<string, TurnFinish>();

  /** Called for every delta: no more than adding one. */
  hear(group: readonly EventEnvelope[]): void {
    for (const { event } of group) {
      this.events[event.type] += 1;
      if (event.type !== "message.part.delta") this.#follow(event);
    }
  }

  #follow(event: WireEvent): void {
    const { sessionID } = event.properties;
    switch (event.type) {
      case "session.status":
        if (event.properties.status.type === "idle") this.#endTurn(sessionID);
        else if (!this.#running.has(sessionID)) this.#running.set(sessionID, "none");
        return;
      case "message.updated": {
        const { info } = event.properties;
        if (info.role === "assistant" && info.finish && this.#running.has(sessionID))
          this.#running.set(sessionID, info.finish);
        return;
      }
      case "session.deleted":
        this.#running.delete(sessionID);
    }
  }

  #endTurn(sessionID: string): void {
    const finish = this.#running.get(sessionID);
    if (finish === undefined) return;
    this.#running.delete(sessionID);
    this.turns.set(finish, (this.turns.get(finish) ?? 0) + 1);
  }
}
