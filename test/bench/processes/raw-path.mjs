// The floor: what the agent writes is split into lines, and each is sent as one message to each client, unread.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { WebSocketServer } from "ws";
import { startClients } from "./clients.mjs";

const AGENT = fileURLToPath(new URL("agent.mjs", import.meta.url));
const NEWLINE = 0x0a;

export async function openRawPath() {
  const agent = spawn(process.execPath, [AGENT], { stdio: ["pipe", "pipe", "inherit"] });
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
  await once(server, "listening");
  agent.stdout.on(
    "data",
    eachLine((line) => {
      for (const client of server.clients) client.send(line, { binary: false });
    }),
  );
  return {
    connect: (options) => startClients({ url: `ws://127.0.0.1:${server.address().port}/`, ...options }),
    prompt: (plan) => {
      const message = { role: "user", content: JSON.stringify(plan) };
      agent.stdin.write(`${JSON.stringify({ type: "user", message, uuid: "raw" })}\n`);
    },
    close: async () => {
      for (const client of server.clients) client.terminate();
      server.close();
      agent.stdin.end();
      await once(agent, "exit");
    },
  };
}

function eachLine(send) {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      send(bytes.subarray(start, end));
      start = end + 1;
    }
    rest = bytes.subarray(start);
  };
}
