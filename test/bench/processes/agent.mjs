// An agent that speaks Claude Code's protocol and says what its prompt asks for: the prompt is a plan in JSON.
//   {prepare: {deltas, length, perResponse}}   makes a turn ready, so that its making is not measured, and says little
//   {play: {}}                                 writes the prepared turn as fast as it is read
//   {burst: {deltas, length, perResponse}}     makes a turn and writes it
//   {pace: {deltas, length, lines, everyMs}}   writes a turn of so many lines at a time; each says when it was written
//   {line: {length}}                           one line that holds a text of so many characters
//   {die: {}}                                  begins a text, says when, and is gone
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { answerTo, closingLines, deltaLine, initLine, openingLines, resultLine, textOf } from "./claude-lines.mjs";
import { stamp } from "./stamp.mjs";

const CHUNK_BYTES = 64 * 1024;
/** No two processes may work on one conversation. */
const SESSION = process.argv.find((_, index, args) => args[index - 1] === "--resume") ?? randomUUID();
let responses = 0;
let prepared = [];

const TURNS = {
  prepare: (plan) => {
    prepared = chunksOf(turnOf(plan));
    return write([turn("ready")]);
  },
  play: () => write(prepared),
  burst: (plan) => write(chunksOf(turnOf(plan))),
  pace,
  line: ({ length }) => write([turn(textOf(0, 1000).repeat(length / 1000))]),
  die: async () => {
    const id = nextID();
    await write([initLine(SESSION), openingLines(id), deltaLine(id, stamp(), 0)]);
    process.kill(process.pid, "SIGKILL");
  },
};

createInterface({ input: process.stdin }).on("line", (text) => void take(JSON.parse(text)));
process.stdin.on("end", () => process.exit(0));

async function take(frame) {
  if (frame.type === "control_request") await write([`${JSON.stringify(answerTo(frame))}\n`]);
  if (frame.type !== "user") return;
  const [[kind, plan]] = Object.entries(JSON.parse(frame.message.content));
  await TURNS[kind](plan);
  await write([resultLine(frame.uuid)]);
}

function nextID() {
  responses += 1;
  return `msg_${process.pid}_${responses}`;
}

/** A turn that says one text, not streamed. */
function turn(text) {
  return initLine(SESSION) + closingLines(nextID(), text);
}

/** `deltas` pieces of text, in responses of `perResponse` pieces each. */
function* turnOf({ deltas, length, perResponse = deltas }) {
  yield initLine(SESSION);
  for (let first = 0; first < deltas; first += perResponse) {
    const id = nextID();
    const texts = [];
    yield openingLines(id);
    for (let index = first; index < Math.min(first + perResponse, deltas); index += 1) {
      const text = textOf(index, length);
      texts.push(text);
      yield deltaLine(id, text, index);
    }
    yield closingLines(id, texts.join(""));
  }
}

function chunksOf(lines) {
  const chunks = [];
  let text = "";
  for (const line of lines) {
    text += line;
    if (text.length < CHUNK_BYTES) continue;
    chunks.push(Buffer.from(text));
    text = "";
  }
  return [...chunks, Buffer.from(text)];
}

async function pace({ deltas, length, lines, everyMs }) {
  const id = nextID();
  let whole = "";
  await write([initLine(SESSION), openingLines(id)]);
  const start = performance.now();
  for (let index = 0; index < deltas; ) {
    await until(start + (index / lines) * everyMs);
    let text = "";
    for (const end = Math.min(index + lines, deltas); index < end; index += 1) {
      const piece = stamp() + textOf(index, length);
      whole += piece;
      text += deltaLine(id, piece, index);
    }
    await write([text]);
  }
  await write([closingLines(id, whole)]);
}

function until(time) {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, time - performance.now())));
}

async function write(chunks) {
  for (const chunk of chunks) await new Promise((resolve) => process.stdout.write(chunk, resolve));
}
