import { mkdirSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { MAX_SOCKET_PATH_BYTES } from "../private-socket.js";

/** Where a gateway keeps its database and token unless told otherwise. */
export function stateFolder(): string {
  return join(process.env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "agentwire");
}

/** What an agent host writes when it breaks: it outlives whoever could read it. */
export function hostLogPath(name: string): string {
  return join(stateFolder(), `host-${name}.log`);
}

/** The address of an agent host: only this user may connect to it. */
export function hostSocketPath(name: string): string {
  if (process.platform === "win32") return `\\\\.\\pipe\\agentwire-host-${name}`;
  const own = join(stateFolder(), `host-${name}.sock`);
  const isShort = Buffer.byteLength(own) <= MAX_SOCKET_PATH_BYTES;
  const path = isShort ? own : join(tmpdir(), `agentwire-${process.getuid?.()}`, `${name}.sock`);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return path;
}
