import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer as Upgrader, type WebSocket } from "ws";
import { PROTOCOL_VERSION } from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import { type AdmissionPolicy, checkSource, checkToken } from "./admission.js";
import { SUBPROTOCOL } from "./bearer-token.js";
import { CLOSE_CODES } from "./close-codes.js";
import { Connection } from "./connection.js";
import { everyHalfMinute, Heartbeat, type Ticker } from "./heartbeat.js";
import { answerError, answerJson, refuseUpgrade } from "./http-answer.js";
import { listenOn } from "./listen-on.js";
import { isLoopback } from "./loopback.js";
import type { ServerCore } from "./server-core.js";
import { websocketTransport } from "./websocket-transport.js";

export interface WebSocketServerOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Null lets whoever reaches the port in, and is refused beyond loopback. */
  readonly token: string | null;
  /** Must be set to listen on an address that other machines can reach. */
  readonly allowRemote?: boolean;
  /** Names besides the loopback ones that the server is called by, as `name` or `name:port`. */
  readonly allowedHosts?: readonly string[];
  /** Origins of web pages that may connect; none by default. */
  readonly allowedOrigins?: readonly string[];
  readonly heartbeat?: Ticker;
  /** How long clients may take to say goodbye at `close`. */
  readonly closeMs?: number;
}

const DEFAULT_HOST = "127.0.0.1";
const CLOSE_MS = 1_000;

/** Serves any number of clients on one port: the WebSocket at `/`, and `/health`. */
export class WebSocketServer {
  private readonly clients = new Map<WebSocket, Connection>();
  private readonly upgrader: Upgrader;
  private readonly heartbeat: Heartbeat;
  private closing = false;

  private constructor(
    private readonly core: ServerCore,
    private readonly http: Server,
    private readonly policy: AdmissionPolicy,
    readonly host: string,
    private readonly options: WebSocketServerOptions,
  ) {
    this.upgrader = new Upgrader({
      noServer: true,
      clientTracking: false,
      maxPayload: core.limits.messageBytes,
      // On loopback it costs ten times what it saves.
      perMessageDeflate: false,
      handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
    });
    this.heartbeat = new Heartbeat(options.heartbeat ?? everyHalfMinute);
    http.on("request", (request, response) => this.answer(request, response));
    http.on("upgrade", (request, socket, head) => this.upgrade(request, socket, head));
  }

  static async listen(core: ServerCore, options: WebSocketServerOptions): Promise<WebSocketServer> {
    const { host = DEFAULT_HOST, allowRemote = false, token, allowedHosts = [], allowedOrigins = [] } = options;
    checkExposure(host, allowRemote, token);
    const http = createServer();
    const port = await listenOn(http, host, options.port);
    const policy = { port, token, allowRemote, allowedHosts, allowedOrigins };
    return new WebSocketServer(core, http, policy, host, options);
  }

  get port(): number {
    return this.policy.port;
  }

  get url(): string {
    return `ws://${this.host.includes(":") ? `[${this.host}]` : this.host}:${this.port}/`;
  }

  get connections(): Connection[] {
    return [...this.clients.values()];
  }

  /** Takes leave of every client, and ends within bounded time even when some do not answer. */
  async close(): Promise<void> {
    this.closing = true;
    this.heartbeat.stop();
    const closed = new Promise<void>((resolve) => this.http.close(() => resolve()));
    this.http.closeIdleConnections();
    for (const connection of this.clients.values())
      connection.close(CLOSE_CODES.shuttingDown, "the gateway is shutting down");
    const timer = setTimeout(() => this.terminate(), this.options.closeMs ?? CLOSE_MS);
    await closed;
    clearTimeout(timer);
    this.clients.clear();
  }

  private terminate(): void {
    for (const socket of this.clients.keys()) socket.terminate();
    this.http.closeAllConnections();
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    try {
      checkSource(request, this.policy);
      if (pathOf(request) === "/health") {
        return answerJson(response, 200, { status: "ok", protocolVersion: PROTOCOL_VERSION });
      }
      throw notHere();
    } catch (thrown) {
      answerError(response, GatewayError.from(thrown));
    }
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    try {
      checkSource(request, this.policy);
      if (pathOf(request) !== "/") throw notHere();
      checkToken(request, this.policy);
      if (this.closing) throw new GatewayError("shutting_down", "The gateway is shutting down");
    } catch (thrown) {
      const error = GatewayError.from(thrown);
      this.core.log.warn({ kind: error.kind, origin: request.headers.origin }, "a WebSocket was refused");
      return refuseUpgrade(socket, error);
    }
    this.upgrader.handleUpgrade(request, socket, head, (client) => this.accept(client));
  }

  private accept(socket: WebSocket): void {
    const transport = websocketTransport(socket);
    const connection = new Connection(transport, this.core);
    this.clients.set(socket, connection);
    socket.once("close", () => this.clients.delete(socket));
    this.heartbeat.watch({
      socket,
      onDrain: (listener) => transport.outlet.onDrain(listener),
      holdsBack: () => connection.holdsBack,
    });
  }
}

function checkExposure(host: string, allowRemote: boolean, token: string | null): void {
  if (isLoopback(host)) return;
  if (!allowRemote) {
    throw new GatewayError("forbidden", `${host} can be reached by other machines, which must be allowed explicitly`, {
      hint: "Set `allowRemote`, or listen on 127.0.0.1 and use an SSH tunnel.",
    });
  }
  if (token === null) throw new GatewayError("forbidden", `A token is required to listen on ${host}`);
}

const pathOf = (request: IncomingMessage): string => (request.url ?? "/").split("?", 1)[0] ?? "/";

function notHere(): GatewayError {
  return new GatewayError("not_found", "There is nothing here", { hint: "The endpoint is the WebSocket at /." });
}
