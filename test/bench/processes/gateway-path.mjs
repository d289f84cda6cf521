// The subject: all of the gateway, from the agent's pipe to the WebSocket, with the database in a file.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBenchGateway } from "./bench-gateway.mjs";
import { startClients } from "./clients.mjs";

/** A session that a recorder hears is given each delta by itself. */
const RECORDER = { onInput: () => {}, onOutputs: () => {} };

/** `joined: false` leaves out that deltas which were read together are one step. A prompt goes to every session. */
export async function openGatewayPath({ joined = true, sessions: count = 1 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-bench-"));
  const tap = joined ? undefined : () => RECORDER;
  const { open, server } = await openBenchGateway(join(folder, "bench.db"), { tap });
  const start = open.store.cursor;
  const ids = [];
  while (ids.length < count) {
    const { session } = await open.gateway.handle("session.create", { agent: "claude", directory: folder });
    ids.push(session.id);
  }
  const subscribe = count === 1 ? { sessionID: ids[0] } : {};
  return {
    store: open.store,
    server,
    /** What a client subscribes to that wants all of the session, and not only what comes. */
    whole: { ...subscribe, after: start },
    /** Clients of server-sent events. */
    stream: (options) => startClients({ url: server.url, subscribe, ...options }),
    connect: (options) => startClients({ url: server.websocketURL, subscribe, ...options }),
    prompt: (plan) => {
      const parts = [{ type: "text", text: JSON.stringify(plan) }];
      return Promise.all(ids.map((sessionID) => open.gateway.handle("session.prompt", { sessionID, parts })));
    },
    /** Resolves when the turn is over. */
    idle: () =>
      new Promise((resolve) => {
        const stop = open.store.subscribe((group) => {
          if (!group.some(({ event }) => event.properties.status?.type === "idle")) return;
          stop();
          resolve();
        });
      }),
    close: async () => {
      await server.close();
      await open.close();
      rmSync(folder, { recursive: true });
    },
  };
}
