import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { MAX_SOCKET_PATH_BYTES } from "../private-socket.js";

/** A database that is nowhere stored. */
export const MEMORY = ":memory:";

/** Where a gateway keeps its database and token unless told otherwise. */
export function stateFolder(): string {
  return join(process.env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "agentwire");
}

export function defaultDatabase(): string {
  return join(stateFolder(), "agentwire.db");
}

/** The bearer token of the gateways of this user. */
export function defaultTokenFile(): string {
  return join(stateFolder(), "token");
}

/** What a database is called in the names of files and pipes. One that is nowhere stored belongs to this process. */
export function databaseName(db: string): string {
  if (db === MEMORY) return `memory-${process.pid}`;
  return createHash("sha256").update(resolve(db)).digest("hex").slice(0, 12);
}

/** What a database's agent host writes when it breaks: it outlives whoever could read it. */
export function hostLogPath(db: string): string {
  return join(stateFolder(), `host-${databaseName(db)}.log`);
}

/** The address of a database's agent host: only this user may connect to it. */
export function hostSocketPath(db: string): string {
  const name = `host-${databaseName(db)}`;
  if (process.platform === "win32") return `\\\\.\\pipe\\agentwire-${name}`;
  const path = socketPath(name);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return path;
}

/** Where a database's gateway is reached without a token; undefined on Windows, whose pipes have no mode. */
export function gatewaySocketPath(db: string): string | undefined {
  return process.platform === "win32" ? undefined : socketPath(`gateway-${databaseName(db)}`);
}

function socketPath(name: string): string {
  const own = join(stateFolder(), `${name}.sock`);
  const isShort = Buffer.byteLength(own) <= MAX_SOCKET_PATH_BYTES;
  return isShort ? own : join(tmpdir(), `agentwire-${process.getuid?.()}`, `${name}.sock`);
}
