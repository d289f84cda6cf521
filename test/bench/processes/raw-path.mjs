// The floors: what the agent writes goes to each client without a gateway.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { WebSocketServer } from "ws";
import { startClients } from "./clients.mjs";
import { eachLine } from "./forwards.mjs";

const AGENT = fileURLToPath(new URL("agent.mjs", import.meta.url));

/** `forward` says what of the agent's output is one message; by default each line, unread. A prompt goes to every agent. */
export async function openRawPath({ forward = eachLine, agents: count = 1 } = {}) {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
  await once(server, "listening");
  const send = (data) => {
    for (const client of server.clients) client.send(data, { binary: false });
  };
  const agents = Array.from({ length: count }, () => {
    const agent = spawn(process.execPath, [AGENT], { stdio: ["pipe", "pipe", "inherit"] });
    agent.stdout.on("data", forward(send));
    return agent;
  });
  return {
    connect: (options) => startClients({ url: `ws://127.0.0.1:${server.address().port}/`, ...options }),
    prompt: (plan) => {
      const message = { role: "user", content: JSON.stringify(plan) };
      const line = `${JSON.stringify({ type: "user", message, uuid: "raw" })}\n`;
      for (const agent of agents) agent.stdin.write(line);
    },
    close: async () => {
      for (const client of server.clients) client.terminate();
      server.close();
      for (const agent of agents) agent.stdin.end();
      await Promise.all(agents.map((agent) => once(agent, "exit")));
    },
  };
}
