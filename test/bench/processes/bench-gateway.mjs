import { fileURLToPath } from "node:url";
import { declaredAcpAgent } from "../../../dist/adapters/acp/index.js";
import { openGateway } from "../../../dist/src/cli/open-gateway.js";
import { GatewayServer } from "../../../dist/src/server/gateway-server.js";

const scriptOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const programOf = (name) => ({ command: process.execPath, args: [scriptOf(name)] });

/** The gateway as it is, on a database in a file: its agents are `claude` and, of the Agent Client Protocol, `bench`. */
export async function openBenchGateway(db, { tap } = {}) {
  const program = programOf("acp-agent.mjs");
  const adapter = declaredAcpAgent({ id: "bench", name: "bench", command: program.command, env: {} });
  const open = openGateway({
    db,
    programs: { claude: programOf("agent.mjs") },
    agents: { bench: { adapter, program } },
    ...(tap && { tap }),
  });
  return { open, server: await GatewayServer.listen(open.core, { port: 0, token: null }) };
}
