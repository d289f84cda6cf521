import type { WireEvent } from "../../../schemas/index.js";
import type { AgentwireError, Client, SessionHandle, Subscription } from "../../client/index.js";
import { GatewayError } from "../../gateway-error.js";
import { readRecent } from "./read-recent.js";
import { TurnWatch } from "./turn-watch.js";

export interface SessionTerminalOptions {
  readonly client: Client;
  readonly sessionID: string;
  /** Shows an event and answers what waits. */
  readonly onEvent: (event: WireEvent) => void;
  /** How many of the session's last messages come first, with what waits; without it only what happens from now on. */
  readonly recent?: number;
  /** Hears that the connection was lost, and that it is there again. */
  readonly onConnection?: (lost?: AgentwireError) => void;
  /** Hears whether a turn runs, when that changes. */
  readonly onTurn?: (isIdle: boolean) => void;
}

/** What may have happened in a gap and is worth showing. */
const GAP_MESSAGES = 10;

/** One session as a terminal follows it, whatever gateway has it. */
export class SessionTerminal {
  readonly session: SessionHandle;
  readonly turns: TurnWatch;
  readonly #options: SessionTerminalOptions;
  readonly #events: Subscription;

  constructor(options: SessionTerminalOptions) {
    const { client, sessionID, onConnection } = options;
    this.#options = options;
    this.session = client.session(sessionID);
    this.turns = new TurnWatch(sessionID, options.onTurn);
    this.#events = this.session.events(onConnection ? { onConnection } : {});
  }

  /** Does some work while the session is followed; fails when it cannot be followed any more. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    try {
      await this.#events.opened;
      if (this.#options.recent !== undefined) await this.#showRecent(this.#options.recent);
      return await Promise.race([this.#follow(), work()]);
    } finally {
      this.#events.stop();
    }
  }

  /** Sends a prompt to the idle session; resolves when its turn has ended. */
  async prompt(text: string): Promise<void> {
    const { messageID } = await this.session.prompt(text);
    await this.turns.untilAnswered(messageID);
  }

  async #follow(): Promise<never> {
    for await (const event of this.#events) {
      if (event.type === "gap") await this.#showRecent(GAP_MESSAGES);
      else if (event.type !== "snapshot") this.#hear(event);
    }
    throw new GatewayError("shutting_down", "the connection was closed");
  }

  async #showRecent(count: number): Promise<void> {
    for (const event of await readRecent(this.#options.client, this.session.id, count)) this.#hear(event);
  }

  #hear(event: WireEvent): void {
    this.#options.onEvent(event);
    this.turns.hear(event);
    const { sessionID } = event.properties;
    if (event.type === "session.deleted" && sessionID === this.session.id)
      throw new GatewayError("not_found", `the session ${sessionID} was deleted`);
  }
}
