import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { GatewayError } from "../gateway-error.js";
import { MessageStream } from "./message-stream.js";
import { type FromHost, HOST_PROTOCOL, type HostedInfo, type ToHost } from "./messages.js";

export interface HostAddress {
  /** Its Unix socket, or on Windows its named pipe. */
  readonly path: string;
  /** How long it keeps agents without a gateway, in milliseconds. */
  readonly graceMs: number;
}

export interface Connection {
  readonly stream: MessageStream<FromHost, ToHost>;
  /** The host's own. */
  readonly id: string;
  readonly processes: readonly HostedInfo[];
  readonly closed: Promise<void>;
  /** Hears everything after the welcome. */
  onMessage: (message: FromHost, lines: readonly string[]) => void;
}

/** How often another gateway that starts a host at the same moment may be in the way. */
const TRIES = 5;

/** Connects to the host at an address, and starts one where there is none. */
export async function connectToHost(address: HostAddress, takeOver: boolean): Promise<Connection> {
  for (let tries = 1; ; tries += 1) {
    const socket = (await open(address.path)) ?? (await start(address));
    const connection = socket && (await greet(socket, takeOver));
    if (connection) return connection;
    if (tries === TRIES) throw new GatewayError("internal", `no agent host answers at ${address.path}`);
  }
}

/**
 * Has the gateway leave that is connected to a host, as for a successor; resolves when it is gone, and its agents are with the
 * host alone. False where there is no host.
 */
export async function dismissGateway(path: string): Promise<boolean> {
  const socket = await open(path);
  const connection = socket && (await greet(socket, true));
  connection?.stream.end();
  return connection !== undefined;
}

/** Undefined where nobody listens. */
async function open(path: string): Promise<Socket | undefined> {
  const socket = connect(path);
  try {
    await once(socket, "connect");
    return socket;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ECONNREFUSED") return undefined;
    throw new GatewayError("internal", `the agent host at ${path} cannot be reached: ${(error as Error).message}`);
  }
}

/** The program of the host stands beside this module. It says when it listens, and is then on its own. */
async function start({ path, graceMs }: HostAddress): Promise<Socket | undefined> {
  const here = fileURLToPath(import.meta.url);
  const program = fileURLToPath(new URL(`main${extname(here)}`, import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, program, path, String(graceMs)], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
    windowsHide: true,
  });
  await ready(child);
  child.stdout?.destroy();
  child.unref();
  return open(path);
}

async function ready(child: ChildProcess): Promise<void> {
  const failed = once(child, "error").then(([error]) => {
    throw new GatewayError("internal", `the agent host could not be started: ${(error as Error).message}`);
  });
  await Promise.race([once(child.stdout ?? child, "data"), once(child, "exit"), failed]);
  failed.catch(() => {});
}

/** Undefined for a host that is about to end. */
function greet(socket: Socket, takeOver: boolean): Promise<Connection | undefined> {
  return new Promise((resolve, reject) => {
    const closed = new Promise<void>((done) => socket.once("close", () => done()));
    let connection: Connection | undefined;
    const stream = new MessageStream<FromHost, ToHost>(socket, (message, lines) => {
      if (connection) return connection.onMessage(message, lines);
      if (message.type === "refused") {
        reject(refused(message.pid));
        return stream.destroy();
      }
      if (message.type !== "welcome") return;
      // One of another version does not know what we would say: its agents end with it.
      if (message.protocol !== HOST_PROTOCOL) return stream.send({ type: "close" });
      connection = { stream, closed, id: message.id, processes: message.processes, onMessage: () => {} };
      resolve(connection);
    });
    void closed.then(() => resolve(undefined));
    stream.send({ type: "hello", protocol: HOST_PROTOCOL, pid: process.pid, takeOver });
  });
}

function refused(pid: number): GatewayError {
  return new GatewayError("conflict", `another gateway (process ${pid}) works on these sessions`, {
    hint: "end it first, or take over from it with --replace",
  });
}
