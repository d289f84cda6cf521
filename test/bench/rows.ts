import { installPeers } from "./install-peers.js";
import type { Row } from "./row.js";

/** Every row there is. A ratio is the subject's number over the floor's, of the same repetition. */
export const ROWS: readonly Row[] = [
  {
    name: "burst",
    what: "200,000 deltas: the whole gateway against lines that are sent unread, the client in the same process",
    program: "burst.mjs",
    checks: [{ measure: "wall", atMost: 1.2, required: true }, { measure: "cpu" }, { measure: "bytes" }],
  },
  {
    name: "burst-apart",
    what: "the same with the client in a process of its own: what the client costs is not in it",
    program: "burst.mjs",
    args: ["apart"],
    checks: [{ measure: "wall", atMost: 1.2 }, { measure: "cpu" }, { measure: "bytes" }],
  },
  {
    name: "floors",
    what: "the same burst, the client apart: the CPU of the gateway against what must be done at least",
    program: "floors.mjs",
    checks: [
      { measure: "CPU / line pipe", atMost: 1 },
      { measure: "CPU / line pipe, not joined" },
      { measure: "CPU / work floor", atMost: 1.3 },
      { measure: "CPU / work floor, not joined" },
      { measure: "CPU / true floor", atMost: 10 },
    ],
  },
  {
    name: "layers",
    what: "what each layer costs of a delta where none are joined, and their sum against the line pipe",
    program: "layers.mjs",
    checks: [
      { measure: "split + parse, µs", atMost: 2.3 },
      { measure: "guard, µs", atMost: 0.3 },
      { measure: "step, µs", atMost: 0.7 },
      { measure: "reduce + encode, µs", atMost: 0.8 },
      { measure: "store in a file, µs", atMost: 0.5 },
      { measure: "batch send, first client, µs", atMost: 1.5 },
      { measure: "batch send, each further client, µs", atMost: 0.5 },
      { measure: "sum with one client / line pipe", atMost: 0.8 },
    ],
  },
  {
    name: "sessions",
    what: "200 and 50 sessions at once, each with an agent that writes 50 lines a second",
    program: "sessions.mjs",
    maxReps: 2,
    checks: [
      { measure: "200 sessions / raw", atMost: 1.4 },
      { measure: "200 sessions / 50", atMost: 1.05 },
    ],
  },
  {
    name: "lossless",
    what: "10,000 and 100,000 deltas to two clients and one that reads 400 kB/s: each ends with the agent's text, in order",
    program: "lossless.mjs",
    maxReps: 3,
    checks: [
      { measure: "10,000 deltas: texts that differ", atMost: 0, required: true },
      { measure: "100,000 deltas: texts that differ", atMost: 0, required: true },
      { measure: "order inversions", atMost: 0, required: true },
    ],
  },
  {
    name: "killed",
    what: "the gateway is killed in a burst: what its client had heard is there, and what it missed comes",
    program: "killed.mjs",
    checks: [
      { measure: "published durable events that are lost", atMost: 0, required: true },
      { measure: "conversations that differ", atMost: 0, required: true },
    ],
  },
  {
    name: "long-text",
    what: "texts of 1 and 10 MB: the CPU of a delta does not grow with its text, nor do the bytes",
    program: "long-text.mjs",
    checks: [
      { measure: "last quarter / first", atMost: 1.3, required: true },
      { measure: "10 MB / 1 MB", atMost: 1.1, required: true },
    ],
  },
  {
    name: "memory",
    what: "what a session of 1,000,000 deltas leaves in the heap",
    program: "memory.mjs",
    nodeArgs: ["--expose-gc"],
    checks: [{ measure: "MB of heap per 1,000,000 deltas", atMost: 2, required: true }],
  },
  {
    name: "fan-out",
    what: "one session to many clients against one send per line and client",
    program: "fan-out.mjs",
    checks: [{ measure: "each further client", atMost: 0.25 }, { measure: "100 clients" }],
  },
  {
    name: "subscribers",
    what: "one session to 1, 10, 100 and 1,000 clients, over the WebSocket and as server-sent events",
    program: "subscribers.mjs",
    maxReps: 3,
    checks: [
      { measure: "WebSocket: a client of 1,000 / one of 100", atMost: 1.2 },
      { measure: "SSE: a client of 1,000 / one of 100", atMost: 1.2 },
      { measure: "SSE / WebSocket, 1000 clients", atMost: 1.5 },
    ],
  },
  {
    name: "slow-reader",
    what: "a client that reads 400 kB/s beside one that reads all",
    program: "slow-reader.mjs",
    maxReps: 2,
    checks: [
      { measure: "other client's time", atMost: 1.15, required: true },
      { measure: "pending, MB", atMost: 1.1, required: true },
      { measure: "texts that differ", atMost: 0, required: true },
    ],
  },
  {
    name: "latency",
    what: "from the agent's write to the client, 100 lines a second, against lines that are sent unread",
    program: "latency.mjs",
    checks: [
      { measure: "p50", atMost: 1.5 },
      { measure: "p99", atMost: 1.5 },
    ],
  },
  {
    name: "long-line",
    what: "one line of 20 MB against one of 5 MB",
    program: "long-line.mjs",
    checks: [{ measure: "cpu", atMost: 5 }],
  },
  {
    name: "crash",
    what: "from the death of an agent to its client's session.error",
    program: "crash.mjs",
    checks: [{ measure: "session.error, ms", atMost: 100, required: true }],
  },
  {
    name: "start-up",
    what: "the CPU of a start against that of an empty program",
    program: "start-up.mjs",
    checks: [
      { measure: "--version", atMost: 1.6 },
      { measure: "serve", atMost: 4 },
    ],
  },
  {
    name: "peers",
    what: "50,000 deltas of the same agent through other programs of this kind, installed from npm; only when it is named",
    program: "peers.mjs",
    onRequest: true,
    maxReps: 3,
    prepare: installPeers,
    checks: ["stdio-to-ws", "acpx", "sandbox-agent"].flatMap((peer) => [
      { measure: `agentwire / ${peer}: wall`, atMost: 1 },
      { measure: `agentwire / ${peer}: CPU`, atMost: 1 },
    ]),
  },
];
