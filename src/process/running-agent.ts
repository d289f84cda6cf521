import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { LineSplitter } from "../line-splitter.js";
import type { AgentProcess, SpawnSpec } from "./agent-host.js";
import type { AgentReporter } from "./agent-reporter.js";
import type { Channel } from "./channel.js";
import { createChannel } from "./channels.js";
import { KillLadder, type LadderBounds } from "./kill-ladder.js";
import { LineWriter } from "./line-writer.js";
import { PosixProcessTree } from "./posix-process-tree.js";
import type { ProcessTree } from "./process-tree.js";
import { StderrTail } from "./stderr-tail.js";
import { WindowsProcessTree } from "./windows-process-tree.js";

interface StartedChild extends ChildProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

export interface RunningContext {
  readonly epoch: number;
  readonly bounds: LadderBounds;
  /** How long the exit waits for the end of stdout: a process the agent left behind may hold the pipe open. */
  readonly exitWaitMs: number;
}

interface RunningOptions extends RunningContext {
  readonly spec: SpawnSpec;
  readonly explain: (error: Error) => string;
}

export function isStarted(child: ChildProcess): child is StartedChild {
  return child.pid !== undefined;
}

/** A child that runs: its bytes become reported events, frames become its input, and it is ended by the ladder. */
export class RunningAgent implements AgentProcess {
  readonly epoch: number;
  readonly pid: number;
  readonly exited: Promise<void>;
  readonly #child: StartedChild;
  readonly #reporter: AgentReporter;
  readonly #exitWaitMs: number;
  readonly #channel: Channel;
  readonly #splitter: LineSplitter;
  readonly #stderr = new StderrTail();
  readonly #writer: LineWriter;
  readonly #tree: ProcessTree;
  readonly #ladder: KillLadder;
  #exitTimer: NodeJS.Timeout | undefined;
  #settled = false;
  #resolveExited = () => {};

  constructor(child: StartedChild, reporter: AgentReporter, options: RunningOptions) {
    this.epoch = options.epoch;
    this.pid = child.pid;
    this.exited = new Promise((resolve) => {
      this.#resolveExited = resolve;
    });
    this.#child = child;
    this.#reporter = reporter;
    this.#exitWaitMs = options.exitWaitMs;
    this.#channel = createChannel(options.spec.channel);
    this.#splitter = this.#createSplitter(options.spec.maxLineBytes);
    this.#writer = new LineWriter(child.stdin);
    this.#tree = process.platform === "win32" ? new WindowsProcessTree(child.pid) : new PosixProcessTree(child.pid);
    const { inputEndMs = options.bounds.inputEndMs } = options.spec;
    this.#ladder = this.#createLadder({ ...options.bounds, inputEndMs });
    this.#readOutput();
    this.#readStderr();
    this.#watchExit(options.explain);
  }

  send(frame: unknown): void {
    this.#writer.write(this.#channel.encode(frame));
  }

  stop(how: "end" | "kill"): void {
    if (how === "end") this.#ladder.end();
    else this.#ladder.kill();
  }

  #createSplitter(maxLineBytes: number): LineSplitter {
    const onLine = (line: string) => {
      for (const reading of this.#channel.read(line)) {
        if (reading.kind === "answer") this.#writer.write(reading.line);
        else this.#reporter.report(reading);
      }
    };
    const onOverlong = (bytes: number) => {
      const detail = `A line of at least ${bytes} bytes was discarded: the limit is ${maxLineBytes} bytes`;
      this.#reporter.report({ kind: "fault", detail });
    };
    return new LineSplitter({ onLine, onOverlong }, maxLineBytes);
  }

  #createLadder(bounds: LadderBounds): KillLadder {
    const closeInput = () => this.#writer.end();
    const giveUp = () => this.#settle(null, null, `Process ${this.pid} could not be ended, not even by force`);
    return new KillLadder({ tree: this.#tree, closeInput, giveUp }, bounds);
  }

  #readOutput(): void {
    this.#child.stdout.on("data", (chunk: Buffer) => this.#splitter.push(chunk));
    this.#child.stdout.on("end", () => this.#splitter.end());
    // A broken pipe ends like one that was closed.
    this.#child.stdout.on("error", () => {});
  }

  #readStderr(): void {
    this.#child.stderr.on("data", (chunk: Buffer) => this.#reporter.reportStderr(this.#stderr.push(chunk)));
    this.#child.stderr.on("end", () => this.#reporter.reportStderr(this.#stderr.end()));
    this.#child.stderr.on("error", () => {});
  }

  #watchExit(explain: (error: Error) => string): void {
    // After the start this comes only from cross-spawn, which finds out late that Windows did not know the program.
    this.#child.on("error", (error) => this.#settle(null, null, explain(error)));
    this.#child.once("exit", (code, signal) => {
      this.#ladder.childExited();
      this.#waitForOutput(code, signal);
    });
    this.#child.once("close", (code, signal) => this.#settle(code, signal));
  }

  /** Timers run before pipes are read, so what lies in the pipe is read once more even if the loop was late. */
  #waitForOutput(code: number | null, signal: string | null): void {
    const settle = () => setImmediate(() => this.#settle(code, signal));
    this.#exitTimer = setTimeout(settle, this.#exitWaitMs);
    this.#exitTimer.unref();
  }

  #settle(code: number | null, signal: string | null, error?: string): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#exitTimer);
    this.#splitter.end();
    this.#reporter.reportStderr(this.#stderr.end());
    this.#release();
    const stderr = this.#stderr.text;
    this.#reporter.reportExit({ code, signal, stderr, ...(error !== undefined && { error }) });
    this.#resolveExited();
  }

  /** Lets go of the pipes, and of what still sits in the agent's process group. */
  #release(): void {
    this.#ladder.childExited();
    this.#writer.drop();
    for (const stream of this.#child.stdio) stream?.destroy();
    this.#child.unref();
    this.#tree.sweep();
  }
}
