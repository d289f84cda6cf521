// The same agent through other programs. Each `open` gives a path: `play` resolves when the client has all it will get, with how many
// deltas that were, and `cpu` is what the peer's process has used, in ms.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import WebSocket from "ws";
import { openClients } from "./clients.mjs";
import { startGateway } from "./start-gateway.mjs";

const fileOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const CLAUDE_DELTA = Buffer.from('"type":"content_block_delta"');
const CLAUDE_END = Buffer.from('"type":"result"');
const ACP_DELTA = "agent_message_chunk";
/** How long a stream must be silent that does not tell its end. */
const SILENCE_MS = 1000;
const READY_MS = 20_000;
/** Of Linux: a tick of the CPU times in /proc. */
const TICK_MS = 10;

/** A peer sees nothing of its user: no variable, no home folder. */
const environment = (folder) => ({ PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: folder });

/** The gateway, with an agent of either kind. */
export async function openAgentwire(folder, agent) {
  const gateway = await startGateway({ db: join(folder, "bench.db"), agent });
  const clients = await openClients({ url: gateway.url, subscribe: { sessionID: gateway.sessionID } });
  return {
    cpu: () => cpuOf(gateway.pid),
    play: async (turn) => {
      const over = clients.turn();
      gateway.prompt({ burst: turn });
      await over;
      return turn.deltas;
    },
    close: async () => {
      await clients.close();
      await gateway.close();
    },
  };
}

/** An agent's lines as messages, as they are. */
export async function openStdioToWs({ path, node }, folder) {
  const port = await freePort();
  const command = `"${process.execPath}" "${fileOf("agent.mjs")}"`;
  const args = ["--require", fileOf("loopback-only.cjs"), path, "--quiet", "--port", String(port), command];
  const peer = spawn(node, args, { stdio: "ignore", env: environment(folder) });
  const socket = await untilReady(() => openSocket(`ws://127.0.0.1:${port}/`), peer);
  return {
    cpu: () => cpuOf(peer.pid),
    play: (turn) => {
      const message = { role: "user", content: JSON.stringify({ burst: turn }) };
      let deltas = 0;
      const over = new Promise((resolve) => {
        socket.on("message", function count(data) {
          if (data.includes(CLAUDE_DELTA)) deltas += 1;
          if (!data.includes(CLAUDE_END)) return;
          socket.off("message", count);
          resolve(deltas);
        });
      });
      socket.send(JSON.stringify({ type: "user", message, uuid: "peer" }));
      return over;
    },
    close: async () => {
      socket.terminate();
      await end(peer);
    },
  };
}

/** A client on the command line that has its agent for one prompt. What its start costs is not counted. */
export async function openAcpx({ path, node }, folder) {
  let cpu = 0;
  const run = async (turn) => {
    const agent = `"${process.execPath}" "${fileOf("acp-agent.mjs")}"`;
    const options = ["--format", "json", "--json-strict", "--approve-all", "--cwd", folder, "--agent", agent];
    const args = ["--require", fileOf("cpu-probe.cjs"), path, ...options, "exec", JSON.stringify({ burst: turn })];
    const peer = spawn(node, args, { stdio: ["ignore", "pipe", "inherit", "pipe"], env: environment(folder) });
    let [deltas, told, rest] = [0, "", ""];
    peer.stdout.setEncoding("utf8").on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      deltas += lines.filter((line) => line.includes(ACP_DELTA)).length;
    });
    peer.stdio[3].on("data", (text) => {
      told += text;
    });
    const start = performance.now();
    const [code] = await once(peer, "close");
    if (code !== 0) throw new Error(`acpx ended with ${code}`);
    return { deltas, wall: performance.now() - start, cpu: Number(told.split("\n")[0]) };
  };
  return {
    cpu: () => cpu,
    play: async (turn) => {
      const idle = await run({ ...turn, deltas: 0 });
      const busy = await run(turn);
      cpu += busy.cpu - idle.cpu;
      return { deltas: busy.deltas, wall: busy.wall - idle.wall };
    },
    close: async () => {},
  };
}

/** A server with agents of its own; in the place of one stands this agent. */
export async function openSandboxAgent({ path }, folder) {
  placeAgent(join(folder, ".local", "share", "sandbox-agent", "bin"));
  const port = await freePort();
  const args = ["server", "--no-token", "--no-telemetry", "--host", "127.0.0.1", "--port", String(port)];
  const peer = spawn(path, args, { stdio: "ignore", env: environment(folder) });
  const base = `http://127.0.0.1:${port}/v1`;
  await untilReady(() => fetched(`${base}/health`), peer);
  const url = `${base}/acp/bench`;
  let id = 0;
  const ask = async (method, params) => {
    id += 1;
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const answer = await fetched(`${url}?agent=claude`, { method: "POST", headers: JSON_TYPE, body });
    return (await answer.json()).result;
  };
  await ask("initialize", { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await ask("session/new", { cwd: folder, mcpServers: [] });
  const stream = await fetched(url, { headers: { accept: "text/event-stream" } });
  const heard = countDeltas(stream.body);
  return {
    cpu: () => cpuOf(peer.pid),
    play: async (turn) => {
      heard.begin();
      await ask("session/prompt", { sessionId, prompt: [{ type: "text", text: JSON.stringify({ burst: turn }) }] });
      return heard.end(turn.deltas);
    },
    close: async () => {
      await stream.body.cancel().catch(() => {});
      await end(peer);
    },
  };
}

const JSON_TYPE = { "content-type": "application/json" };

function placeAgent(bin) {
  mkdirSync(join(bin, "agent_processes"), { recursive: true });
  const write = (name, text) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  write("agent_processes/claude-acp", `exec "${process.execPath}" "${fileOf("acp-agent.mjs")}"`);
  write("claude", "echo 0.0.0");
}

/** Counts the deltas of a stream that may lose some: it is over when all are there, or when it is silent. */
function countDeltas(body) {
  let [deltas, rest, last, start] = [0, "", 0, 0];
  const read = async () => {
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      deltas += lines.filter((line) => line.includes(ACP_DELTA)).length;
      last = performance.now();
    }
  };
  read().catch(() => {});
  return {
    begin: () => {
      [deltas, start] = [0, performance.now()];
      last = start;
    },
    end: async (all) => {
      while (deltas < all && performance.now() - last < SILENCE_MS) await new Promise((wake) => setTimeout(wake, 10));
      return { deltas, wall: last - start };
    },
  };
}

function cpuOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // After the name, which may hold anything: the state is field 3, the times are 14 and 15.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

async function openSocket(url) {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, "open");
  return socket;
}

async function fetched(url, options) {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${(await response.text()).slice(0, 200)}`);
  return response;
}

/** Tries until a server answers that was just started, or has ended. */
async function untilReady(open, peer) {
  const limit = performance.now() + READY_MS;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const gone = peer.exitCode !== null || peer.signalCode !== null;
      if (gone || performance.now() > limit) {
        await end(peer);
        throw new Error(
          gone ? `it ended with ${peer.exitCode ?? peer.signalCode}` : `it never answered: ${error.message}`,
        );
      }
      await new Promise((wake) => setTimeout(wake, 50));
    }
  }
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}

async function end(peer) {
  if (peer.exitCode !== null || peer.signalCode !== null) return;
  peer.kill("SIGKILL");
  await once(peer, "exit");
}
