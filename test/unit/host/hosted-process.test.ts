import { beforeEach, describe, expect, test } from "vitest";
import { HostedProcess } from "../../../src/host/hosted-process.js";
import type { FromHost } from "../../../src/host/messages.js";
import type { AgentListener, LocalProcess } from "../../../src/process/agent-host.js";

const key = { owner: "ses_1", epoch: 1 };
const exit = { kind: "exit", code: 0, signal: null, stderr: "" } as const;

let told: (readonly [FromHost, ...string[]])[];
let done: unknown[];
let forgotten: number;
let isRead: boolean;
let child: AgentListener;
let hosted: HostedProcess;
let seq: number;

beforeEach(() => {
  told = [];
  done = [];
  forgotten = 0;
  isRead = true;
  seq = 0;
  hosted = new HostedProcess({
    key,
    channel: "ndjson",
    maxWaiting: 100,
    onForgotten: () => {
      forgotten += 1;
    },
    start: (listener) => {
      child = listener;
      return {
        epoch: 1,
        pid: 7,
        exited: Promise.resolve(),
        send: (frame) => void done.push(frame),
        stop: (how) => void done.push(how),
        setReading: (reading) => {
          isRead = reading;
        },
      } satisfies LocalProcess;
    },
  });
});

function attach(after = 0): void {
  hosted.attach(after, (message, lines = []) => told.push([message, ...lines]));
}

function write(...lines: string[]): void {
  for (const line of lines) child.onEvent({ epoch: 1, seq: ++seq, at: 5, kind: "frame", frame: { line } });
}

const end = () => child.onEvent({ epoch: 1, seq: ++seq, at: 6, ...exit });
const lines = (from: number, ...rest: string[]) => [{ type: "lines", key, seq: from, at: 5 }, ...rest];

describe("what a process does", () => {
  test("is told together when it is read together", async () => {
    attach();
    write("a", "b");
    expect(told).toEqual([]);
    await Promise.resolve();
    expect(told).toEqual([lines(1, "a", "b")]);
  });

  test("waits for a gateway, and is told to the next one from where that stands", async () => {
    attach();
    write("a");
    await Promise.resolve();
    hosted.detach();
    write("b", "c");
    told = [];
    attach(1);
    expect(told).toEqual([lines(2, "b", "c")]);
  });

  test("is told in order when it is not all lines", async () => {
    attach();
    write("a");
    child.onEvent({ epoch: 1, seq: ++seq, at: 5, kind: "fault", detail: "cut" });
    write("b");
    await Promise.resolve();
    const fault = { seq: 2, at: 5, kind: "fault", detail: "cut" };
    expect(told).toEqual([lines(1, "a"), [{ type: "event", key, event: fault }], lines(3, "b")]);
  });

  test("is forgotten when it is stored", () => {
    write("a", "b", "c");
    hosted.acknowledge(2);
    attach();
    expect(told).toEqual([lines(3, "c")]);
  });
});

describe("a process that nobody listens to", () => {
  test("is not read any more when too much waits, and again when enough of it is stored", () => {
    write("x".repeat(60));
    expect(isRead).toBe(true);
    write("y".repeat(60));
    expect(isRead).toBe(false);
    hosted.acknowledge(1);
    expect(isRead).toBe(false);
    hosted.acknowledge(2);
    expect(isRead).toBe(true);
  });
});

describe("what is asked of a process", () => {
  test("is done once, whoever asks again", () => {
    attach();
    hosted.send({ line: "a" }, 1);
    hosted.stop("end", 2);
    hosted.send({ line: "a" }, 1);
    hosted.stop("end", 2);
    hosted.send({ line: "b" }, 3);
    expect(done).toEqual([{ line: "a" }, "end", { line: "b" }]);
    expect(told.map(([message]) => message)).toEqual([1, 2, 1, 2, 3].map((effect) => ({ type: "done", key, effect })));
  });

  test("is done each time where it has no number", () => {
    hosted.send({ line: "a" }, null);
    hosted.send({ line: "a" }, null);
    expect(done).toHaveLength(2);
  });
});

describe("a process that ended", () => {
  test("is forgotten when its end is stored, and not before", () => {
    write("a");
    end();
    expect(forgotten).toBe(0);
    hosted.acknowledge(1);
    expect(forgotten).toBe(0);
    hosted.acknowledge(2);
    expect(forgotten).toBe(1);
  });

  test("is forgotten at once when a later one took its place", () => {
    attach();
    hosted.abandon();
    expect(done).toEqual(["end"]);
    expect(forgotten).toBe(0);
    end();
    expect(forgotten).toBe(1);
    expect(told).toEqual([]);
  });
});
