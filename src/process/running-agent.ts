import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { LocalProcess, SpawnSpec } from "./agent-host.js";
import type { AgentLink } from "./agent-link.js";
import type { AgentReporter } from "./agent-reporter.js";
import type { HttpAccess } from "./http-access.js";
import { HttpLink } from "./http-link.js";
import { KillLadder, type LadderBounds } from "./kill-ladder.js";
import { LineLink } from "./line-link.js";
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
  /** How its HTTP is reached, where it serves some. */
  readonly access: HttpAccess | undefined;
  readonly explain: (error: Error) => string;
}

export function isStarted(child: ChildProcess): child is StartedChild {
  return child.pid !== undefined;
}

/** A child that runs: its bytes become reported events, frames become its input, and it is ended by the ladder. */
export class RunningAgent implements LocalProcess {
  readonly epoch: number;
  readonly pid: number;
  readonly exited: Promise<void>;
  readonly #child: StartedChild;
  readonly #reporter: AgentReporter;
  readonly #exitWaitMs: number;
  readonly #link: AgentLink;
  readonly #stderr = new StderrTail();
  readonly #tree: ProcessTree;
  readonly #ladder: KillLadder;
  #exitTimer: NodeJS.Timeout | undefined;
  #settled = false;
  /** Why it was ended although nobody asked for that. */
  #failure: string | undefined;
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
    this.#link = this.#createLink(options);
    this.#tree = process.platform === "win32" ? new WindowsProcessTree(child.pid) : new PosixProcessTree(child.pid);
    const { inputEndMs = options.bounds.inputEndMs } = options.spec;
    this.#ladder = this.#createLadder({ ...options.bounds, inputEndMs });
    this.#readOutput();
    this.#readStderr();
    this.#watchExit(options.explain);
  }

  send(frame: unknown, effect?: number): void {
    this.#link.send(frame);
    this.#reporter.reportDone(effect);
  }

  stop(how: "end" | "kill", effect?: number): void {
    if (how === "end") this.#ladder.end();
    else this.#ladder.kill();
    this.#reporter.reportDone(effect);
  }

  setReading(isRead: boolean): void {
    if (isRead) this.#child.stdout.resume();
    else this.#child.stdout.pause();
  }

  #createLink({ spec, access }: RunningOptions): AgentLink {
    const report: AgentReporter["report"] = (reading) => this.#reporter.report(reading);
    const { channel, maxLineBytes } = spec;
    if (channel !== "http") return new LineLink({ channel, maxLineBytes, stdin: this.#child.stdin, report });
    if (!access) throw new TypeError("a program on an http channel must say how it is reached");
    const terminate = () => this.#tree.terminate();
    return new HttpLink({
      pid: this.pid,
      access,
      maxBytes: maxLineBytes,
      report,
      terminate,
      fail: (why) => this.#fail(why),
    });
  }

  /** It runs, but cannot be talked to. */
  #fail(why: string): void {
    this.#failure = why;
    this.#ladder.kill();
  }

  #createLadder(bounds: LadderBounds): KillLadder {
    const closeInput = () => this.#link.close();
    const giveUp = () => this.#settle(null, null, `Process ${this.pid} could not be ended, not even by force`);
    return new KillLadder({ tree: this.#tree, closeInput, giveUp }, bounds);
  }

  #readOutput(): void {
    this.#child.stdout.on("data", (chunk: Buffer) => this.#link.push(chunk));
    this.#child.stdout.on("end", () => this.#link.end());
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
    this.#child.once("close", (code, signal) => this.#link.whenRead(() => this.#settle(code, signal)));
  }

  /** Timers run before pipes are read, so what lies in the pipe is read once more even if the loop was late. */
  #waitForOutput(code: number | null, signal: string | null): void {
    const settle = () => setImmediate(() => this.#settle(code, signal));
    this.#exitTimer = setTimeout(settle, this.#exitWaitMs);
    this.#exitTimer.unref();
  }

  #settle(code: number | null, signal: string | null, error = this.#failure): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#exitTimer);
    this.#link.end();
    this.#reporter.reportStderr(this.#stderr.end());
    this.#release();
    const stderr = this.#stderr.text;
    this.#reporter.reportExit({ code, signal, stderr, ...(error !== undefined && { error }) });
    this.#resolveExited();
  }

  /** Lets go of the pipes, and of what still sits in the agent's process group. */
  #release(): void {
    this.#ladder.childExited();
    this.#link.drop();
    for (const stream of this.#child.stdio) stream?.destroy();
    this.#child.unref();
    this.#tree.sweep();
  }
}
