import { connect as connectSocket } from "node:net";
import { WebSocket } from "ws";
import { type Client, connect, type WebSocketConstructor } from "../client/index.js";
import { GatewayError } from "../gateway-error.js";
import { readToken } from "../server/token-file.js";
import type { GatewayOptions } from "./gateway-options.js";
import { packageVersion } from "./package-info.js";
import { listServerRecords, readServerRecord } from "./server-record.js";
import { defaultDatabase, defaultTokenFile } from "./state-folder.js";
import { UsageError } from "./usage-error.js";

/** A gateway that is there and does not answer is as good as none. */
const HANDSHAKE_MS = 10_000;

/** Where a gateway is. On the socket no token is asked for. */
interface Address {
  readonly url: string;
  readonly socket?: string | undefined;
  readonly token?: string | undefined;
}

/** Does some work with the gateway that the options name, which runs in another process. */
export async function withGateway<T>(options: GatewayOptions, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await reachGateway(options);
  try {
    return await work(client);
  } finally {
    client.close();
  }
}

async function reachGateway(options: GatewayOptions): Promise<Client> {
  checkOptions(options);
  const find = () => findGateway(options);
  const { url, socket, token } = find();
  return connect({
    url: socket === undefined ? url : "http://localhost",
    ...(token !== undefined && { token }),
    WebSocket: socketTo(find),
    // Why a socket cannot be opened is not told by HTTP on a port.
    ...(socket !== undefined && { fetch: () => Promise.reject(new Error(`nobody answers at ${socket}`)) }),
    client: { name: "agentwire", version: packageVersion() },
  });
}

function checkOptions({ db, url, "token-file": tokenFile }: GatewayOptions): void {
  if (url !== undefined && db !== undefined) throw new UsageError("--url and --db both name a gateway: give one");
  if (url === undefined && tokenFile !== undefined) throw new UsageError("--token-file goes with --url");
}

/** A gateway that is replaced may come back elsewhere: where it is now is read each time it is dialled. */
function socketTo(find: () => Address): WebSocketConstructor {
  return class extends WebSocket {
    constructor() {
      const { url, socket, token } = find();
      const protocols = token === undefined ? [] : ["agentwire", `agentwire.token.${token}`];
      super(socket === undefined ? url.replace(/^http/, "ws") : "ws://localhost/", protocols, {
        handshakeTimeout: HANDSHAKE_MS,
        ...(socket !== undefined && { createConnection: () => connectSocket(socket) }),
      });
    }
  };
}

function findGateway({ db = defaultDatabase(), url, "token-file": tokenFile }: GatewayOptions): Address {
  if (url !== undefined) return { url, token: tokenOf(tokenFile) };
  const record = readServerRecord(db);
  if (!record) throw nobodyServes(db);
  if (record.socket !== undefined) return { url: record.url, socket: record.socket };
  return { url: record.url, token: readToken(record.tokenFile) };
}

/** A gateway that wants a token and is given none says so itself. */
function tokenOf(file: string | undefined): string | undefined {
  const token = readToken(file ?? defaultTokenFile());
  if (token === undefined && file !== undefined)
    throw new GatewayError("not_found", `there is no token file ${file}`, {
      hint: "`agentwire serve` tells where it is",
    });
  return token;
}

function nobodyServes(db: string): GatewayError {
  const others = listServerRecords().map((record) => record.db);
  const start = db === defaultDatabase() ? "agentwire serve" : `agentwire serve --db ${db}`;
  const hint =
    others.length === 0 ? "" : `, or name one that runs: ${others.map((other) => `--db ${other}`).join(", ")}`;
  return new GatewayError("not_found", `no gateway serves ${db}`, { hint: `start one: ${start}${hint}` });
}
