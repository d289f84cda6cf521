import { lstatSync, mkdirSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { dirname } from "node:path";
import { GatewayError } from "../gateway-error.js";
import { isServed, listenPrivately, MAX_SOCKET_PATH_BYTES } from "../private-socket.js";

/** Starts a server on a unix socket that only its owner can reach. What a gateway that died left there is removed. */
export async function listenOnSocket(server: Server, path: string): Promise<void> {
  if (process.platform === "win32") {
    throw new GatewayError("not_supported", "Unix sockets are not served on Windows, where no file mode protects them");
  }
  if (Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES) {
    throw new GatewayError(
      "invalid_params",
      `The path of a socket has at most ${MAX_SOCKET_PATH_BYTES} bytes: ${path}`,
    );
  }
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    await removeStale(path);
    await listenPrivately(server, path);
  } catch (cause) {
    throw cause instanceof GatewayError ? cause : socketError(cause as NodeJS.ErrnoException, path);
  }
}

async function removeStale(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isSocket()) {
    throw new GatewayError("conflict", `${path} exists and is no socket`, { hint: "Choose another path." });
  }
  if (await isServed(path)) throw inUse(path);
  rmSync(path, { force: true });
}

function inUse(path: string, cause?: unknown): GatewayError {
  return new GatewayError("conflict", `The socket ${path} is in use`, {
    cause,
    hint: "Stop what listens there, or choose another path.",
  });
}

function socketError(cause: NodeJS.ErrnoException, path: string): GatewayError {
  if (cause.code === "EADDRINUSE") return inUse(path, cause);
  if (cause.code === "EACCES") return new GatewayError("forbidden", `${path} may not be made by this user`, { cause });
  return new GatewayError("invalid_params", `Cannot listen on ${path}: ${cause.message}`, { cause });
}
