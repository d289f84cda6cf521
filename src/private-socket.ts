import { connect, type Server } from "node:net";

/** What every system takes of the path of a unix socket; a longer one is cut short without a word. */
export const MAX_SOCKET_PATH_BYTES = 103;

/** Nobody but the owner may connect; the mode must hold from the first moment on. */
const OWNER_ONLY = 0o177;

/** Starts a server on a unix socket, or a named pipe of Windows, that only its owner can reach. */
export function listenPrivately(server: Server, path: string): Promise<void> {
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

/** Whether somebody answers at a socket. One that may not be asked is not ours to remove. */
export function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once("connect", () => {
      probe.destroy();
      resolve(true);
    });
    probe.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code !== "ECONNREFUSED" && code !== "ENOENT"));
  });
}
