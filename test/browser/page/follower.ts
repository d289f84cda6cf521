import {
  EMPTY_STATE,
  type FinalDocument,
  finalDocument,
  reduce,
  type Subscription,
} from "../../../src/client/index.js";

/** Has the state of one session, as whoever reduces its events. */
export class Follower {
  #state = EMPTY_STATE;
  readonly #waiting = new Set<() => void>();

  constructor(
    events: Subscription,
    readonly sessionID: string,
  ) {
    void this.#follow(events);
  }

  /** What the session has come to when it gets this title: whatever was said before has been heard. */
  async documentWhenTitled(title: string): Promise<FinalDocument> {
    await this.#until(() => this.#state.sessions[this.sessionID]?.info.title === title);
    return finalDocument(this.#state);
  }

  async whenStatus(type: "busy" | "idle"): Promise<void> {
    await this.#until(() => this.#state.sessions[this.sessionID]?.info.status.type === type);
  }

  async #follow(events: Subscription): Promise<void> {
    for await (const event of events) {
      this.#state = reduce(this.#state, event);
      for (const look of [...this.#waiting]) look();
    }
  }

  #until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!condition()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }
}
