// The same deltas of the same agent through the gateway and through other programs of this kind, by turns, each in a process of its
// own: the time until the client has them, the CPU of the process between, and what was lost.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAcpx, openAgentwire, openSandboxAgent, openStdioToWs } from "./peer-paths.mjs";
import { divide, report, reps } from "./report.mjs";

const TURN = { deltas: 50_000, length: 30, perResponse: 5000 };
/** How each is opened, and the agent that the gateway is given beside it. */
const PEERS = {
  "stdio-to-ws": { open: openStdioToWs, agent: "claude" },
  acpx: { open: openAcpx, agent: "bench" },
  "sandbox-agent": { open: openSandboxAgent, agent: "bench" },
};

const programs = JSON.parse(process.argv[3]);
const measures = {};
for (const [name, peer] of Object.entries(PEERS)) Object.assign(measures, await measurePeer(name, peer));
report(measures);

async function measurePeer(name, { open, agent }) {
  const ratios = [`agentwire / ${name}: wall`, `agentwire / ${name}: CPU`];
  const why = reasonAgainst(programs[name]);
  if (why) return Object.fromEntries(ratios.map((ratio) => [ratio, why]));
  const own = [];
  const others = [];
  try {
    for (let rep = 0; rep < reps; rep += 1) {
      own.push(await inFolder((folder) => measure(() => openAgentwire(folder, agent))));
      others.push(await inFolder((folder) => measure(() => open(programs[name], folder))));
    }
  } catch (error) {
    return Object.fromEntries(ratios.map((ratio) => [ratio, error.message]));
  }
  const list = (turns, what) => turns.map((turn) => turn[what]);
  return {
    [ratios[0]]: divide(list(own, "wall"), list(others, "wall")),
    [ratios[1]]: divide(list(own, "cpu"), list(others, "cpu")),
    [`${name}: deltas lost`]: list(others, "lost"),
    [`${name}: wall µs a delta`]: list(others, "wall"),
    [`${name}: CPU µs a delta`]: list(others, "cpu"),
    [`agentwire beside ${name}: wall µs a delta`]: list(own, "wall"),
    [`agentwire beside ${name}: CPU µs a delta`]: list(own, "cpu"),
  };
}

function reasonAgainst({ reason }) {
  return (
    reason ?? (process.platform === "linux" ? undefined : "a process's CPU is read from /proc, which only Linux has")
  );
}

/** The first turn, a short one, is not counted: the agent is started in it. */
async function measure(open) {
  const path = await open();
  try {
    await path.play({ ...TURN, deltas: 1000 });
    const [cpu, start] = [path.cpu(), performance.now()];
    const seen = await path.play(TURN);
    const { deltas, wall } = typeof seen === "number" ? { deltas: seen, wall: performance.now() - start } : seen;
    const each = (ms) => (ms * 1000) / TURN.deltas;
    return { wall: each(wall), cpu: each(path.cpu() - cpu), lost: TURN.deltas - deltas };
  } finally {
    await path.close();
  }
}

async function inFolder(run) {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-bench-"));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
