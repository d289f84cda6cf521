// An agent of the Agent Client Protocol, in the shapes of golden-traces/acp-gemini/text; its prompt is a plan like agent.mjs's.
//   {prepare: {deltas, length}}   makes a turn ready, so that its making is not measured, and says nothing
//   {play: {}}                    writes the prepared turn as fast as it is read
//   {burst: {deltas, length}}     both, for a client that has only one prompt
import { createInterface } from "node:readline";
import { textOf } from "./claude-lines.mjs";

const CHUNK_BYTES = 64 * 1024;
const SESSION = "5af2bade-65f8-4a98-9fd7-f5bf2437ecb1";
let prepared = [];

const ANSWERS = {
  initialize: () => ({
    protocolVersion: 1,
    agentInfo: { name: "bench", version: "1" },
    agentCapabilities: { loadSession: false, promptCapabilities: {} },
    authMethods: [],
  }),
  "session/new": () => ({ sessionId: SESSION }),
  "session/prompt": async ({ prompt }) => {
    const [[kind, plan]] = Object.entries(JSON.parse(prompt[0].text));
    if (kind !== "play") prepared = chunksOf(plan);
    if (kind !== "prepare") for (const chunk of prepared) await write(chunk);
    return { stopReason: "end_turn" };
  },
};

createInterface({ input: process.stdin }).on("line", (text) => void take(JSON.parse(text)));
process.stdin.on("end", () => process.exit(0));

async function take({ id, method, params }) {
  if (id === undefined) return;
  const answer = ANSWERS[method];
  const error = { code: -32601, message: `Method not found: ${method}` };
  const body = answer ? { result: await answer(params) } : { error };
  await write(`${JSON.stringify({ jsonrpc: "2.0", id, ...body })}\n`);
}

function updateLine(text) {
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
  return `${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId: SESSION, update } })}\n`;
}

function chunksOf({ deltas, length }) {
  const chunks = [];
  let text = "";
  for (let index = 0; index < deltas; index += 1) {
    text += updateLine(textOf(index, length));
    if (text.length < CHUNK_BYTES) continue;
    chunks.push(Buffer.from(text));
    text = "";
  }
  return [...chunks, Buffer.from(text)];
}

function write(data) {
  return new Promise((resolve) => process.stdout.write(data, resolve));
}
