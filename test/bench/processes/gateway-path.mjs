// The subject: all of the gateway, from the agent's pipe to the WebSocket, with the database in a file.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openGateway } from "../../../dist/src/cli/open-gateway.js";
import { GatewayServer } from "../../../dist/src/server/gateway-server.js";
import { startClients } from "./clients.mjs";

const AGENT = fileURLToPath(new URL("agent.mjs", import.meta.url));

export async function openGatewayPath() {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-bench-"));
  const agent = { command: process.execPath, args: [AGENT] };
  const open = openGateway({ db: join(folder, "bench.db"), programs: { claude: agent } });
  const server = await GatewayServer.listen(open.core, { port: 0, token: null });
  const start = open.store.cursor;
  const { session } = await open.gateway.handle("session.create", { agent: "claude", directory: folder });
  return {
    store: open.store,
    server,
    /** What a client subscribes to that wants all of the session, and not only what comes. */
    whole: { sessionID: session.id, after: start },
    /** Clients of server-sent events. */
    stream: (options) => startClients({ url: server.url, subscribe: { sessionID: session.id }, ...options }),
    connect: (options) => startClients({ url: server.websocketURL, subscribe: { sessionID: session.id }, ...options }),
    prompt: (plan) => {
      const parts = [{ type: "text", text: JSON.stringify(plan) }];
      return open.gateway.handle("session.prompt", { sessionID: session.id, parts });
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
