// What each layer costs of a delta, measured one after the other in this process, and their sum against the line pipe of the same run. The
// work is that of a burst without joined steps: frames are stepped one by one, stored and sent in the groups they are read in.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { claude } from "../../../dist/adapters/claude/index.js";
import { LineSplitter } from "../../../dist/src/line-splitter.js";
import { ndjsonChannel } from "../../../dist/src/process/ndjson-channel.js";
import { EventGroup } from "../../../dist/src/server/event-group.js";
import { openStore } from "../../../dist/src/store/open-store.js";
import { answerTo, deltaLine, initLine, openingLines, textOf } from "./claude-lines.mjs";
import { inTurns } from "./in-turns.mjs";
import { openRawPath } from "./raw-path.mjs";
import { report, reps } from "./report.mjs";
import { measureSends } from "./send-layer.mjs";

const DELTAS = 50_000;
const LENGTH = 30;
const CHUNK_BYTES = 64 * 1024;
const LINE_PIPE = { deltas: 200_000, length: LENGTH, perResponse: 5000 };
const FURTHER_CLIENTS = 10;
const MESSAGE = "msg_layers";
const AT = 1_800_000_000_000;

const chunks = makeChunks();
const folder = mkdtempSync(join(tmpdir(), "agentwire-bench-"));

/** CPU of this process per delta, in µs, and what the work gave. */
async function timed(run) {
  const before = process.cpuUsage();
  const result = await run();
  const { user, system } = process.cpuUsage(before);
  return { cost: (user + system) / DELTAS, result };
}

async function measureLayers(number) {
  const read = await timed(() => chunks.map(readFrames));
  const guarded = await timed(() => read.result.map((frames) => frames.map((frame) => claude.parse(frame))));
  const begun = beginTurn(number);
  const stepped = await timed(() => stepAll(begun.state, guarded.result));
  const inMemory = await storeAll(":memory:", begun, stepped.result);
  const inFile = await storeAll(join(folder, `layers-${number}.db`), begun, stepped.result);
  const encoded = await timed(() => inMemory.groups.map((group) => new EventGroup(group).body));
  const [one, many] = [await measureSends(encoded.result, 1), await measureSends(encoded.result, 1 + FURTHER_CLIENTS)];
  return {
    "split + parse": read.cost,
    guard: guarded.cost,
    step: stepped.cost,
    "reduce + encode": inMemory.cost + encoded.cost,
    "store in a file": inFile.cost - inMemory.cost,
    "batch send, first client": one / DELTAS,
    "batch send, each further client": (many - one) / FURTHER_CLIENTS / DELTAS,
  };
}

function readFrames(chunk) {
  const frames = [];
  const onLine = (line) => {
    for (const reading of ndjsonChannel.read(line)) frames.push(reading.frame);
  };
  const onOverlong = (bytes) => {
    throw new Error(`a line of ${bytes} bytes`);
  };
  new LineSplitter({ onLine, onOverlong }, CHUNK_BYTES).push(chunk);
  return frames;
}

/** A session whose agent has begun to say a text: its state, and the events until then. */
function beginTurn(number) {
  const sessionID = `ses_0000000layers${number}`;
  const ids = { sessionID, idSeed: `0000000layers${number}`, agent: "claude", directory: folder, projectID: "global" };
  let { state, outputs } = claude.init({ ...ids, at: AT, title: "", mode: "default" });
  const events = eventsOf(outputs);
  const take = (input) => {
    const next = claude.step(state, { at: AT, ...input });
    state = next.state;
    events.push(...eventsOf(next.outputs));
    for (const { kind, frame } of next.outputs) if (kind === "send" && frame.type === "control_request") answer(frame);
  };
  const takeFrame = (frame) => take({ kind: "frame", frame: claude.parse(frame) });
  const answer = (frame) => takeFrame(answerTo(frame));
  take({ kind: "command", command: { type: "prompt", parts: [{ type: "text", text: "go" }] } });
  for (const line of (initLine() + openingLines(MESSAGE)).trim().split("\n")) takeFrame(JSON.parse(line));
  return { sessionID, state, events };
}

function stepAll(begun, groups) {
  let state = begun;
  return groups.map((frames) => {
    const events = [];
    for (const frame of frames) {
      const next = claude.step(state, { at: AT, kind: "frame", frame });
      state = next.state;
      for (const output of next.outputs) if (output.kind === "wire") events.push(output.event);
    }
    return { events, state };
  });
}

/** What storing costs of a delta, and the groups that were published. */
async function storeAll(path, { sessionID, events: first, state: begun }, steps) {
  const store = openStore({ path });
  let seq = 0;
  const write = (events, state) => {
    seq += 1;
    store.write({ sessionID, events, checkpoint: { state, epoch: 1, seq } });
  };
  write(first, begun);
  store.flush();
  const groups = [];
  store.subscribe((group) => groups.push(group));
  const { cost } = await timed(async () => {
    for (const { events, state } of steps) {
      write(events, state);
      await setImmediate();
    }
    store.flush();
  });
  store.close();
  const told = groups.flat().reduce((sum, { event }) => sum + (event.properties.delta?.length ?? 0), 0);
  if (told !== DELTAS * LENGTH) throw new Error(`the store published ${told} characters of ${DELTAS * LENGTH}`);
  return { cost, groups };
}

function eventsOf(outputs) {
  return outputs.flatMap((output) => (output.kind === "wire" ? [output.event] : []));
}

function makeChunks() {
  const made = [];
  let text = "";
  for (let number = 0; number < DELTAS; number += 1) {
    text += deltaLine(MESSAGE, textOf(number, LENGTH), number);
    if (text.length < CHUNK_BYTES) continue;
    made.push(Buffer.from(text));
    text = "";
  }
  return [...made, Buffer.from(text)];
}

const measures = {};
const add = (measure, value) => {
  measures[measure] ??= [];
  measures[measure].push(value);
};
const clients = { apart: true };
const [pipe] = await inTurns({ paths: [openRawPath()], clients, prepare: LINE_PIPE, plan: { play: {} }, reps });
// The first is not counted, as the code is still cold.
await measureLayers(0);
for (let rep = 0; rep < reps; rep += 1) {
  const { "batch send, each further client": further, ...layers } = await measureLayers(rep + 1);
  const sum = Object.values(layers).reduce((a, b) => a + b, 0);
  const line = (pipe[rep].cpu * 1000) / LINE_PIPE.deltas;
  for (const [measure, cost] of Object.entries(layers)) add(`${measure}, µs`, cost);
  add("batch send, each further client, µs", further);
  add("sum with one client / line pipe", sum / line);
  add("sum with one client, µs", sum);
  add("line pipe, µs", line);
}
rmSync(folder, { recursive: true });
report(measures);
