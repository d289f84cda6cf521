import type { Logger } from "pino";
import { createMessageConnection, type MessageConnection } from "vscode-jsonrpc/node";
import type { Params, Result } from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import { AnswerBacklog } from "./answer-backlog.js";
import { AnswerWriter } from "./answer-writer.js";
import { CLOSE_CODES } from "./close-codes.js";
import type { ConnectionHandlers } from "./dispatch.js";
import { initialize } from "./initialize.js";
import { observeRequest } from "./observe-request.js";
import { RequestIds } from "./request-ids.js";
import { RequestReader } from "./request-reader.js";
import type { ServerCore } from "./server-core.js";
import type { Subscriber } from "./subscriber.js";
import { toResponseError } from "./to-response-error.js";
import type { Transport } from "./transport.js";

/** One client, from its first byte to its last: its requests, its subscriptions, and the end of both. */
export class Connection {
  /** Resolves when the connection is over and holds nothing any more. */
  readonly closed: Promise<void>;
  private readonly ids = new RequestIds();
  private readonly subscribers = new Map<string, Subscriber>();
  private readonly reader: RequestReader;
  private readonly writer: AnswerWriter;
  private readonly rpc: MessageConnection;
  private readonly handlers: ConnectionHandlers;
  private readonly stopDrain: () => void;
  private readonly log: Logger;
  private drainTimer: NodeJS.Timeout | undefined;
  private over = false;
  private resolveClosed: () => void = () => {};

  constructor(
    private readonly transport: Transport,
    private readonly core: ServerCore,
  ) {
    const { limits, counts } = core;
    const { transport: name } = transport.outlet;
    const log = core.log.child({ connection: `${name} ${counts.nextConnection()}` });
    this.log = log;
    this.closed = new Promise((resolve) => {
      this.resolveClosed = resolve;
    });
    const backlog = new AnswerBacklog(transport.outlet, limits.pendingBytes, limits.lowWaterBytes);
    this.writer = new AnswerWriter(this.ids, backlog, () => this.progressed());
    this.reader = new RequestReader({
      inlet: transport.inlet,
      ids: this.ids,
      backlog,
      maxInFlight: limits.inFlight,
      log,
      onEnded: () => this.finish(),
      onGone: () => this.dispose(),
    });
    this.handlers = {
      initialize: (params) => initialize(params, core.version),
      "events.subscribe": (params) => this.subscribe(params),
      "events.unsubscribe": (params) => this.unsubscribe(params),
    };
    this.stopDrain = transport.outlet.onDrain(() => this.progressed());
    this.rpc = this.listen();
    log.debug("a client has connected");
  }

  get pendingBytes(): number {
    return this.transport.outlet.pendingBytes;
  }

  /** Whether it is us who keep the client from being heard (too many requests at once), not the client. */
  get holdsBack(): boolean {
    return this.reader.holdsBack;
  }

  close(code: number, reason: string): void {
    this.dispose();
    this.transport.outlet.close(code, reason);
  }

  private listen(): MessageConnection {
    const { log } = this;
    const rpc = createMessageConnection(this.reader, this.writer, {
      error: (message) => log.warn(message),
      warn: (message) => log.warn(message),
      info: (message) => log.debug(message),
      log: (message) => log.debug(message),
    });
    rpc.onRequest((method, params) => this.answer(method, params));
    rpc.listen();
    return rpc;
  }

  private async answer(method: string, params: unknown): Promise<unknown> {
    try {
      const { counts, dispatch } = this.core;
      return await observeRequest({ counts, log: this.log }, method, () => dispatch(method, params, this.handlers));
    } catch (thrown) {
      return toResponseError(thrown, method, this.log);
    }
  }

  private subscribe(params: Params<"events.subscribe">): Result<"events.subscribe"> {
    if (this.over) throw new GatewayError("shutting_down", "The connection is closing");
    const { subscriber, result } = this.core.publisher.subscribe(this.transport.outlet, params);
    this.subscribers.set(subscriber.id, subscriber);
    // The client can't place events of a subscription whose id it has not been told.
    this.writer.after(result, () => subscriber.start());
    return result;
  }

  private unsubscribe({ subscriptionID }: Params<"events.unsubscribe">): Result<"events.unsubscribe"> {
    const subscriber = this.subscribers.get(subscriptionID);
    if (!subscriber) {
      throw new GatewayError("not_found", `This connection has no subscription ${JSON.stringify(subscriptionID)}`, {
        field: "subscriptionID",
      });
    }
    subscriber.end();
    this.subscribers.delete(subscriptionID);
    return {};
  }

  private progressed(): void {
    if (!this.over) this.reader.pump();
  }

  /** The client has said its last word: what it asked is still answered, within bounded time. */
  private finish(): void {
    this.endSubscriptions();
    const answered = this.ids.size === 0 && this.transport.outlet.pendingBytes === 0;
    if (answered) return this.close(CLOSE_CODES.normal, "the client ended its input");
    this.drainTimer ??= setTimeout(
      () => this.close(CLOSE_CODES.normal, "the client ended its input"),
      this.core.limits.drainMs,
    );
  }

  private endSubscriptions(): void {
    for (const subscriber of this.subscribers.values()) subscriber.end();
    this.subscribers.clear();
  }

  private dispose(): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.drainTimer);
    this.stopDrain();
    this.endSubscriptions();
    this.rpc.dispose();
    this.log.debug("a client has left");
    this.resolveClosed();
  }
}
