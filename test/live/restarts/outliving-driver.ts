import assert from "node:assert/strict";
import type { ErrorKind, Params, PendingBlock, Result, WireEvent } from "../../../schemas/index.js";
import type { Subscription } from "../../../src/client/index.js";
import type {
  BlockReply,
  FullDriver,
  PromptOptions,
  RequestParams,
  ScenarioDirs,
  ScriptedModel,
  SessionRequest,
} from "../scenario.js";
import type { MortalGateway } from "./mortal-gateway.js";
import { kindOf, type PersistentClient } from "./persistent-client.js";

export interface OutlivingDriverOptions {
  readonly gateway: MortalGateway;
  readonly client: PersistentClient;
  /** Events of all sessions, from before the session was made. */
  readonly events: Subscription;
  readonly sessionID: string;
  readonly model: ScriptedModel;
  readonly dirs: ScenarioDirs;
  /** Hears of each event: the moment at which a gateway may be killed. */
  readonly onEvent: () => void;
}

/** A story that needs more than a client of a gateway can do. */
export class NotForClients extends Error {}

/** Plays the user as a client of a gateway that may be killed at any moment: what was cut off is asked for again. */
export class OutlivingDriver implements FullDriver {
  readonly model: ScriptedModel;
  readonly cwd: string;
  readonly home: string;
  readonly sessionID: string;
  readonly #options: OutlivingDriverOptions;
  readonly #events: WireEvent[] = [];
  readonly #waiting = new Set<() => void>();
  /** Where the next `until` begins to look. */
  #seen = 0;

  constructor(options: OutlivingDriverOptions) {
    this.#options = options;
    this.sessionID = options.sessionID;
    this.model = options.model;
    this.cwd = options.dirs.cwd;
    this.home = options.dirs.home;
    void this.#listen();
  }

  async prompt(text: string, { delivery, parts = [] }: PromptOptions = {}): Promise<string> {
    const { messageID } = await this.request("session.prompt", {
      parts: [{ type: "text", text }, ...parts],
      ...(delivery && { delivery }),
    });
    return messageID;
  }

  async blocked(count = 1): Promise<PendingBlock[]> {
    return this.#when(async () => {
      const { blocks } = await this.#options.client.call("block.list", { sessionID: this.sessionID });
      return blocks.length >= count ? blocks : undefined;
    });
  }

  async reply(blockID: string, { answers, attachments, ...reply }: BlockReply): Promise<void> {
    const lists = answers?.map((labels) => [...labels]);
    await this.#options.client.reply({
      blockID,
      ...reply,
      ...(lists && { answers: lists }),
      ...(attachments && { attachments: [...attachments] }),
    });
  }

  async abort(): Promise<void> {
    await this.request("session.abort");
  }

  until(predicate: (event: WireEvent) => boolean): Promise<WireEvent> {
    return this.#when(async () => {
      const found = this.#events.findIndex((event, i) => i >= this.#seen && predicate(event));
      if (found < 0) return undefined;
      this.#seen = found + 1;
      return this.#events[found];
    });
  }

  request<M extends SessionRequest>(method: M, params?: RequestParams<M>): Promise<Result<M>> {
    return this.#options.client.call(method, { sessionID: this.sessionID, ...params } as unknown as Params<M>);
  }

  async idle(sessionID = this.sessionID): Promise<void> {
    await this.#when(async () => {
      const { session } = await this.request("session.get", { sessionID });
      return session.status.type === "idle" && session.queue.length === 0 ? true : undefined;
    });
  }

  rebuild(): void {
    void this.#options.gateway.restart();
  }

  /** Kills the process that holds the agents, and with it the gateway. */
  loseHost(): Promise<void> {
    return this.#options.gateway.restartWithoutHost();
  }

  agentRuns(): boolean {
    throw new NotForClients("no client sees whether an agent's process runs");
  }

  agentExited(): Promise<void> {
    throw new NotForClients("no client sees an agent's process end");
  }

  killAgent(): void {
    throw new NotForClients("no client can kill an agent's process");
  }

  async expectError(kind: ErrorKind, request: Promise<unknown>): Promise<void> {
    await assert.rejects(request, (error: unknown) => {
      assert.equal(kindOf(error), kind, String(error));
      return true;
    });
  }

  async #listen(): Promise<void> {
    for await (const event of this.#options.events) {
      if (event.type === "snapshot") continue;
      if (event.type === "gap") throw new Error("the gateway has forgotten what happened");
      this.#events.push(event);
      for (const check of [...this.#waiting]) check();
      this.#options.onEvent();
    }
  }

  /** Looks now and after each event, until there is something; one look at a time. */
  #when<T>(look: () => Promise<T | undefined>): Promise<T> {
    return new Promise((resolve, reject) => {
      let looking = false;
      let again = false;
      const check = async (): Promise<void> => {
        again = true;
        if (looking) return;
        looking = true;
        try {
          while (again) {
            again = false;
            const found = await look();
            if (found === undefined) continue;
            this.#waiting.delete(onEvent);
            return resolve(found);
          }
        } catch (error) {
          this.#waiting.delete(onEvent);
          reject(error);
        } finally {
          looking = false;
        }
      };
      const onEvent = () => void check();
      this.#waiting.add(onEvent);
      onEvent();
    });
  }
}
