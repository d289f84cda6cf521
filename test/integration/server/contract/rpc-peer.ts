import type { Method } from "../../../../schemas/index.js";
import type { Answer } from "../../../unit/server/stream-peer.js";
import { WireClient } from "../../../unit/server/wire-client.js";
import type { Heard, Outcome, Peer } from "./peer.js";

/** A line to a JSON-RPC server. */
export interface RpcLine {
  send(text: string): void;
  onMessage(listener: (text: string) => void): void;
  onClose(listener: () => void): void;
  drop(): void;
  pause(): void;
  resume(): void;
}

interface Subscription {
  readonly client: WireClient;
  readonly batches: unknown[][];
  overflows: number;
}

/** A client of JSON-RPC, whatever carries it. An event that comes before the answer to its subscription is a fault. */
export class RpcPeer implements Peer {
  private lastID = 0;
  /** Those that subscribe, by the id of their request. */
  private readonly clients = new Map<number, WireClient>();
  private readonly answers = new Map<number, { settle(answer: Answer): void; fail(): void }>();
  private readonly subscriptions = new Map<string, Subscription>();
  private readonly waiting = new Set<() => void>();
  private lost = false;

  constructor(private readonly line: RpcLine) {
    line.onMessage((text) => this.take(JSON.parse(text) as Answer));
    line.onClose(() => this.lose());
  }

  async call(method: Method, params?: Record<string, unknown>): Promise<Outcome> {
    return outcomeOf(await this.request(method, params));
  }

  async subscribe(params: Record<string, unknown> = {}, client = new WireClient()): Promise<Heard> {
    this.clients.set(this.lastID + 1, client);
    const { result, error } = await this.request("events.subscribe", params);
    if (!result) throw Object.assign(new Error(error?.message), error?.data);
    const { line } = this;
    const isLost = (): boolean => this.lost;
    const subscription = this.subscriptions.get(String(result.subscriptionID)) as Subscription;
    return {
      result,
      client: subscription.client,
      batches: subscription.batches,
      get overflows() {
        return subscription.overflows;
      },
      get lost() {
        return isLost();
      },
      until: (condition) => this.until(condition),
      drop: () => line.drop(),
      pause: () => line.pause(),
      resume: () => line.resume(),
    };
  }

  private request(method: Method, params?: Record<string, unknown>): Promise<Answer> {
    const id = ++this.lastID;
    return new Promise((resolve, reject) => {
      const fail = (): void => reject(new Error("the connection was lost"));
      if (this.lost) return fail();
      this.answers.set(id, { settle: resolve, fail });
      this.line.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }

  private take(message: Answer): void {
    if (message.method === "events" && message.params) this.hear(message.params);
    else this.settle(message);
    for (const wake of [...this.waiting]) wake();
  }

  private lose(): void {
    this.lost = true;
    for (const { fail } of this.answers.values()) fail();
    for (const wake of [...this.waiting]) wake();
  }

  private settle(answer: Answer): void {
    const id = Number(answer.id);
    const client = this.clients.get(id);
    // Made with the answer, and not when its caller goes on: the next message may be an event.
    if (client && answer.result) {
      this.subscriptions.set(String(answer.result.subscriptionID), { client, batches: [], overflows: 0 });
    }
    this.answers.get(id)?.settle(answer);
    this.answers.delete(id);
  }

  private hear(params: NonNullable<Answer["params"]>): void {
    const subscription = this.subscriptions.get(params.subscriptionID);
    if (!subscription) throw new Error(`events of ${params.subscriptionID} before it was known`);
    if ("overflow" in params) subscription.overflows++;
    else subscription.batches.push(params.events);
    subscription.client.receive(JSON.stringify({ params }));
  }

  private async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.waiting.delete(wake);
          resolve();
        };
        this.waiting.add(wake);
      });
    }
  }
}

function outcomeOf({ result, error }: Answer): Outcome {
  if (!error) return { result: result ?? {} };
  return { error: { ...(error.data as unknown as NonNullable<Outcome["error"]>), message: error.message } };
}
