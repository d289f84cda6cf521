import assert from "node:assert/strict";
import type { ErrorKind, Params, PendingBlock, Result, WireEvent } from "../../schemas/index.js";
import { GatewayError } from "../../src/gateway-error.js";
import type { Gateway } from "../../src/session/gateway.js";
import type { Store } from "../../src/store/store.js";
import type {
  BlockReply,
  FullDriver,
  PromptOptions,
  RequestParams,
  ScenarioDirs,
  ScriptedModel,
  SessionRequest,
} from "./scenario.js";

/** Plays the user of one session, over the gateway's own requests and events. */
export class LiveDriver implements FullDriver {
  readonly model: ScriptedModel;
  readonly cwd: string;
  readonly home: string;
  readonly #gateway: Gateway;
  readonly #store: Store;
  readonly sessionID: string;
  readonly #events: WireEvent[] = [];
  readonly #waiting = new Set<() => void>();
  /** Where the next `until` begins to look. */
  #seen = 0;

  constructor(gateway: Gateway, store: Store, sessionID: string, model: ScriptedModel, dirs: ScenarioDirs) {
    this.#gateway = gateway;
    this.#store = store;
    this.sessionID = sessionID;
    this.model = model;
    this.cwd = dirs.cwd;
    this.home = dirs.home;
    store.subscribe((group) => {
      this.#events.push(...group.map(({ event }) => event));
      for (const check of [...this.#waiting]) check();
    });
  }

  async prompt(text: string, { delivery, parts = [] }: PromptOptions = {}): Promise<string> {
    const { messageID } = await this.#gateway.handle("session.prompt", {
      sessionID: this.sessionID,
      parts: [{ type: "text", text }, ...parts],
      ...(delivery && { delivery }),
    });
    return messageID;
  }

  blocked(count = 1): Promise<PendingBlock[]> {
    return this.#when(() => {
      const pending = this.#gateway.pendingBlocks(this.sessionID);
      return pending.length >= count ? pending : undefined;
    });
  }

  async reply(blockID: string, { answers, attachments, ...reply }: BlockReply): Promise<void> {
    const lists = answers?.map((labels) => [...labels]);
    await this.#gateway.handle("block.reply", {
      blockID,
      ...reply,
      ...(lists && { answers: lists }),
      ...(attachments && { attachments: [...attachments] }),
    });
  }

  async abort(): Promise<void> {
    await this.#gateway.handle("session.abort", { sessionID: this.sessionID });
  }

  until(predicate: (event: WireEvent) => boolean): Promise<WireEvent> {
    return this.#when(() => {
      for (let i = this.#seen; i < this.#events.length; i++) {
        const event = this.#events[i];
        if (!event || !predicate(event)) continue;
        this.#seen = i + 1;
        return event;
      }
      return undefined;
    });
  }

  request<M extends SessionRequest>(method: M, params?: RequestParams<M>): Promise<Result<M>> {
    return this.#gateway.handle(
      method as SessionRequest & M,
      { sessionID: this.sessionID, ...params } as unknown as Params<M>,
    );
  }

  async idle(sessionID = this.sessionID): Promise<void> {
    await this.#when(() => {
      const session = this.#store.session(sessionID);
      return session?.status.type === "idle" && session.queue.length === 0 ? true : undefined;
    });
  }

  rebuild(): void {
    this.#gateway.live(this.sessionID)?.reload();
  }

  agentRuns(): boolean {
    return this.#gateway.live(this.sessionID)?.running ?? false;
  }

  async agentExited(): Promise<void> {
    await this.#gateway.live(this.sessionID)?.exited;
  }

  killAgent(signal: "SIGKILL" | "SIGTERM"): void {
    const pid = this.#gateway.live(this.sessionID)?.pid;
    assert(pid !== undefined, "the agent's process runs");
    process.kill(pid, signal);
  }

  async expectError(kind: ErrorKind, request: Promise<unknown>): Promise<void> {
    await assert.rejects(request, (error: unknown) => {
      assert(error instanceof GatewayError, String(error));
      assert.equal(error.kind, kind, error.message);
      return true;
    });
  }

  /** Looks now and after every group of events, until there is something. */
  #when<T>(look: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const check = () => {
        const found = look();
        if (found === undefined) return;
        this.#waiting.delete(check);
        resolve(found);
      };
      this.#waiting.add(check);
      check();
    });
  }
}
