import { mkdirSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

/** What the address of a Unix socket may be long, in bytes, on every system. */
const MAX_SOCKET_PATH = 100;

/** Where a gateway keeps its database and token unless told otherwise. */
export function stateFolder(): string {
  return join(process.env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "agentwire");
}

/** The address of an agent host: only this user may connect to it. */
export function hostSocketPath(name: string): string {
  if (process.platform === "win32") return `\\\\.\\pipe\\agentwire-host-${name}`;
  const own = join(stateFolder(), `host-${name}.sock`);
  const path =
    Buffer.byteLength(own) <= MAX_SOCKET_PATH ? own : join(tmpdir(), `agentwire-${process.getuid?.()}`, `${name}.sock`);
  mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
  return path;
}
