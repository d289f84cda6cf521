import { lstatSync, mkdirSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { connect } from "node:net";
import { dirname } from "node:path";
import { GatewayError } from "../gateway-error.js";

/** Nobody but the owner may connect; the mode must hold from the first moment on. */
const OWNER_ONLY = 0o177;

/** What every system takes; a longer path is cut short without a word, and the file gets another name. */
const MAX_PATH_BYTES = 103;

/** Starts a server on a unix socket that only its owner can reach. What a gateway that died left there is removed. */
export async function listenOnSocket(server: Server, path: string): Promise<void> {
  if (process.platform === "win32") {
    throw new GatewayError("not_supported", "Unix sockets are not served on Windows, where no file mode protects them");
  }
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw new GatewayError("invalid_params", `The path of a socket has at most ${MAX_PATH_BYTES} bytes: ${path}`);
  }
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    await removeStale(path);
    await listen(server, path);
  } catch (cause) {
    throw cause instanceof GatewayError ? cause : socketError(cause as NodeJS.ErrnoException, path);
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    const mask = process.umask(OWNER_ONLY);
    try {
      // The file is made before this returns.
      server.listen({ path, exclusive: true }, () => {
        server.off("error", reject);
        resolve();
      });
    } finally {
      process.umask(mask);
    }
  });
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

/** Whether somebody answers. A socket that may not be asked is not ours to remove. */
function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once("connect", () => {
      probe.destroy();
      resolve(true);
    });
    probe.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code !== "ECONNREFUSED" && code !== "ENOENT"));
  });
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
