import type { ErrorData, EventsNotification, Method, Params, Result } from "../../schemas/index.js";
import { AgentwireError, connectionError } from "./client-error.js";
import type { Link, Sink } from "./link.js";
import { Watchdog } from "./watchdog.js";

/** What is used of a WebSocket, in a browser, in Node and of `ws`. */
export interface WebSocketLike {
  send(text: string): void;
  close(): void;
  addEventListener(type: "open" | "error", listener: () => void): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: { readonly reason: string }) => void): void;
}

export type WebSocketConstructor = new (url: string, protocols: string[]) => WebSocketLike;

export interface WebSocketLinkOptions {
  /** As `ws://host:port/`. */
  readonly url: string;
  readonly token: string | undefined;
  readonly WebSocket: WebSocketConstructor;
  /** A WebSocket that is refused does not say why. */
  readonly explain: (error: AgentwireError) => Promise<AgentwireError>;
}

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string; readonly data?: ErrorData };
  readonly method?: string;
  readonly params?: EventsNotification;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: AgentwireError): void;
}

/** One socket, and what is under way on it. */
class Wire {
  private readonly waiting = new Map<number, Waiting>();
  private readonly sinks = new Map<string, Sink>();
  private readonly watchdog: Watchdog;
  private lastID = 0;
  private over = false;

  constructor(
    private readonly socket: WebSocketLike,
    private readonly onOver: () => void,
  ) {
    socket.addEventListener("message", ({ data }) => this.take(JSON.parse(String(data)) as Answer));
    socket.addEventListener("close", ({ reason }) => this.lose(connectionError(reason || "the connection was lost")));
    const gone = (): void => this.lose(connectionError("nothing was heard for a minute"));
    this.watchdog = new Watchdog(() => void this.request("initialize", {}).catch(() => {}), gone);
  }

  request(method: string, params: object, onResult?: (result: unknown) => void): Promise<unknown> {
    const id = ++this.lastID;
    return new Promise((resolve, reject) => {
      if (this.over) return reject(connectionError("the connection was lost"));
      const settle = (result: unknown): void => {
        // Before anything else is read: the next message may be the first event.
        onResult?.(result);
        resolve(result);
      };
      this.waiting.set(id, { resolve: settle, reject });
      this.socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }

  async subscribe(params: Params<"events.subscribe">, sink: Sink): Promise<() => void> {
    let id = "";
    await this.request("events.subscribe", params, (result) => {
      const opened = result as Result<"events.subscribe">;
      id = opened.subscriptionID;
      this.sinks.set(id, sink);
      sink.opened(opened);
    });
    return () => {
      if (this.sinks.delete(id)) void this.request("events.unsubscribe", { subscriptionID: id }).catch(() => {});
    };
  }

  lose(error: AgentwireError): void {
    if (this.over) return;
    this.over = true;
    this.watchdog.stop();
    this.socket.close();
    this.onOver();
    for (const { reject } of this.waiting.values()) reject(error);
    for (const sink of this.sinks.values()) sink.lost(error);
  }

  private take({ id, result, error, method, params }: Answer): void {
    this.watchdog.heard();
    if (method === "events" && params) return this.sinks.get(params.subscriptionID)?.batch(params);
    const waiting = this.waiting.get(id ?? 0);
    this.waiting.delete(id ?? 0);
    if (error) waiting?.reject(new AgentwireError(error.data?.kind ?? "internal", error.message, error.data));
    else waiting?.resolve(result);
  }
}

/** A gateway over one WebSocket, which is opened anew when it is needed after it broke. */
export class WebSocketLink implements Link {
  private wire: Promise<Wire> | undefined;
  private isClosed = false;

  constructor(private readonly options: WebSocketLinkOptions) {}

  async call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
    return (await (await this.open()).request(method, params)) as Result<M>;
  }

  async subscribe(params: Params<"events.subscribe">, sink: Sink): Promise<() => void> {
    return (await this.open()).subscribe(params, sink);
  }

  close(): void {
    this.isClosed = true;
    void this.wire?.then(
      (wire) => wire.lose(new AgentwireError("closed", "The client was closed")),
      () => {},
    );
  }

  private open(): Promise<Wire> {
    if (this.isClosed) return Promise.reject(new AgentwireError("closed", "The client was closed"));
    if (this.wire) return this.wire;
    const wire = this.dial(() => {
      if (this.wire === wire) this.wire = undefined;
    });
    this.wire = wire;
    return wire;
  }

  private async dial(forget: () => void): Promise<Wire> {
    // A browser can set no header, and a token in the URL would end up in logs.
    const { url, token, WebSocket, explain } = this.options;
    const protocols = token === undefined ? [] : ["agentwire", `agentwire.token.${token}`];
    try {
      const socket = new WebSocket(url, protocols);
      const wire = new Wire(socket, forget);
      await new Promise<void>((resolve, reject) => {
        socket.addEventListener("open", () => resolve());
        // "close" follows. An unheard "error" would end a Node process.
        socket.addEventListener("error", () => {});
        // Of no effect once it was open.
        socket.addEventListener("close", () => reject(new Error("the WebSocket could not be opened")));
      });
      return wire;
    } catch (cause) {
      const error = await explain(connectionError(cause));
      forget();
      throw error;
    }
  }
}
