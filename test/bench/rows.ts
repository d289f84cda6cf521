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
];
