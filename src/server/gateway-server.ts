import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { GatewayError } from "../gateway-error.js";
import type { AdmissionPolicy } from "./admission.js";
import { CLOSE_CODES } from "./close-codes.js";
import { EventStreams } from "./event-streams.js";
import { everyQuarterMinute, Heartbeat, type Ticker } from "./heartbeat.js";
import { createHttpApp } from "./http-app.js";
import { listenOn } from "./listen-on.js";
import { listenOnSocket } from "./listen-on-socket.js";
import { isLoopback } from "./loopback.js";
import type { ServerCore } from "./server-core.js";
import { WebSocketFace } from "./websocket-face.js";

interface CommonOptions {
  /** Origins of web pages that may connect; none by default. */
  readonly allowedOrigins?: readonly string[];
  readonly heartbeat?: Ticker;
  /** How long clients may take to say goodbye at `close`. */
  readonly closeMs?: number;
}

export interface PortOptions extends CommonOptions {
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
}

export interface SocketOptions extends CommonOptions {
  /** Only the owner of the file may connect, so no token is asked for. */
  readonly socketPath: string;
}

/** A client that is sent events, as what it costs is watched. */
interface Client {
  readonly pendingBytes: number;
  close(code: number, reason: string): void;
}

const DEFAULT_HOST = "127.0.0.1";
const CLOSE_MS = 1_000;

/** Serves any number of clients at one address: the WebSocket at `/`, and everything else as HTTP. */
export class GatewayServer {
  private readonly heartbeat: Heartbeat;
  private readonly streams: EventStreams;
  private readonly sockets: WebSocketFace;
  private closing = false;

  private constructor(
    core: ServerCore,
    private readonly http: Server,
    policy: AdmissionPolicy,
    /** Where HTTP clients find it: `http://host:port`, or `unix:` and a path. */
    readonly url: string,
    private readonly options: CommonOptions,
  ) {
    const isClosing = (): boolean => this.closing;
    this.heartbeat = new Heartbeat(options.heartbeat ?? everyQuarterMinute);
    this.streams = new EventStreams(core.publisher, this.heartbeat);
    this.sockets = new WebSocketFace({ core, policy, heartbeat: this.heartbeat, isClosing });
    const app = createHttpApp({ core, policy, streams: this.streams, isClosing });
    http.on("connection", (socket) => core.counts.traffic.watch(socket));
    http.on("request", getRequestListener(app.fetch, { overrideGlobalObjects: false }));
    http.on("upgrade", (request, socket, head) => this.sockets.upgrade(request, socket, head));
  }

  static async listen(core: ServerCore, options: PortOptions | SocketOptions): Promise<GatewayServer> {
    return "socketPath" in options ? GatewayServer.onSocket(core, options) : GatewayServer.onPort(core, options);
  }

  private static async onPort(core: ServerCore, options: PortOptions): Promise<GatewayServer> {
    const { host = DEFAULT_HOST, allowRemote = false, token, allowedHosts = [], allowedOrigins = [] } = options;
    checkExposure(host, allowRemote, token);
    const http = createServer();
    const port = await listenOn(http, host, options.port);
    const policy = { port, token, allowRemote, allowedHosts, allowedOrigins };
    const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
    return new GatewayServer(core, http, policy, url, options);
  }

  private static async onSocket(core: ServerCore, options: SocketOptions): Promise<GatewayServer> {
    const { socketPath, allowedOrigins = [] } = options;
    const http = createServer();
    await listenOnSocket(http, socketPath);
    const policy = { port: undefined, token: null, allowRemote: false, allowedHosts: [], allowedOrigins };
    return new GatewayServer(core, http, policy, `unix:${socketPath}`, options);
  }

  get websocketURL(): string {
    return this.url.startsWith("unix:") ? `ws+${this.url}:/` : `${this.url.replace(/^http/, "ws")}/`;
  }

  get clients(): Client[] {
    return [...this.sockets.connections, ...this.streams.all];
  }

  /** Takes leave of every client, and ends within bounded time even when some do not answer. */
  async close(): Promise<void> {
    this.closing = true;
    this.heartbeat.stop();
    const closed = new Promise<void>((resolve) => this.http.close(() => resolve()));
    for (const client of this.clients) client.close(CLOSE_CODES.shuttingDown, "the gateway is shutting down");
    this.http.closeIdleConnections();
    const timer = setTimeout(() => this.terminate(), this.options.closeMs ?? CLOSE_MS);
    await closed;
    clearTimeout(timer);
    this.sockets.terminate();
  }

  private terminate(): void {
    this.sockets.terminate();
    this.http.closeAllConnections();
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
