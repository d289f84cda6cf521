import type { Logger } from "pino";
import type { SessionDiagnostics } from "../../schemas/index.js";
import type { Redact } from "../redact.js";
import type { AgentTotals, ExitReason } from "./agent-totals.js";
import { LineBuffer } from "./line-buffer.js";

const KEPT_NOISE = 50;
const NOISE_LENGTH = 500;
const KEPT_STDERR = 4_000;
/** Kinds come from the agent, which may make up any number of them. */
const KEPT_KINDS = 100;
const KIND_LENGTH = 100;
const OTHER_KINDS = "(others)";

type RunningProcess = NonNullable<SessionDiagnostics["process"]>;
type LastExit = NonNullable<SessionDiagnostics["lastExit"]>;

/** How a process ended, as it was told. */
export interface Ending {
  readonly at: number;
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
  readonly error?: string;
}

export interface DiagnosticsOptions {
  readonly log: Logger;
  /** Those of the session's agent. */
  readonly totals: AgentTotals;
  readonly redact: Redact;
}

/**
 * What happens to a session beside its events: counted, logged, and a little of it kept, without secrets, for whoever looks
 * into it. What is done for each frame is no more than adding one.
 */
export class Diagnostics {
  readonly unknownKinds = new Map<string, number>();
  readonly noiseLines: string[] = [];
  noiseCount = 0;
  frames = 0;
  lastFrameAt: number | undefined;
  faults = 0;
  stalls = 0;
  process: RunningProcess | undefined;
  lastExit: LastExit | undefined;
  readonly #log: Logger;
  readonly #totals: AgentTotals;
  readonly #redact: Redact;
  readonly #stderr: LineBuffer;

  constructor({ log, totals, redact }: DiagnosticsOptions) {
    this.#log = log;
    this.#totals = totals;
    this.#redact = redact;
    this.#stderr = new LineBuffer((stderr) => log.debug({ stderr }, "agent stderr"));
  }

  frame(at: number): void {
    this.frames += 1;
    this.#totals.frames += 1;
    this.lastFrameAt = at;
  }

  noise(text: string): void {
    this.noiseCount += 1;
    this.#totals.noiseLines += 1;
    this.#keep(text);
  }

  /** Something the agent said is lost. */
  fault(detail: string): void {
    this.faults += 1;
    this.#totals.faults += 1;
    this.#keep(detail);
  }

  /** A frame of an unknown kind; the first of its kind is logged. */
  unknown(given: string): void {
    const kind = given.slice(0, KIND_LENGTH);
    this.#totals.unknownFrames += 1;
    const isKept = this.unknownKinds.has(kind) || this.unknownKinds.size < KEPT_KINDS;
    const name = isKept ? kind : OTHER_KINDS;
    const count = this.unknownKinds.get(name) ?? 0;
    this.unknownKinds.set(name, count + 1);
    if (count === 0) this.#log.warn({ kind: name }, "the agent sent a frame of an unknown kind");
  }

  stderr(text: string): void {
    if (this.#log.isLevelEnabled("debug")) this.#stderr.push(text);
  }

  stalled(): void {
    this.stalls += 1;
    this.#totals.stalls += 1;
    this.#log.warn({ lastFrameAt: this.lastFrameAt }, "the agent has said nothing for long");
  }

  started(program: string, at: number): void {
    this.#totals.starts += 1;
    this.#totals.running += 1;
    this.process = { program, since: at };
  }

  /** Its id is known, which may be later. */
  runs(pid: number): void {
    if (!this.process || this.process.pid !== undefined) return;
    this.process = { pid, ...this.process };
    this.#log.info({ pid, program: this.process.program }, "an agent was started");
  }

  /** A process of an earlier gateway goes on. */
  attached(pid: number | undefined, at: number): void {
    this.#totals.running += 1;
    this.process = { since: at, ...(pid !== undefined && { pid }) };
    this.#log.info({ pid }, "an agent goes on that an earlier gateway started");
  }

  ended({ at, code, signal, stderr, error }: Ending): void {
    this.#stderr.flush();
    this.#totals.exits[reasonOf({ code, signal, error })] += 1;
    const { pid, since = at } = this.process ?? {};
    const how = { pid, code, signal, ms: at - since };
    if (error === undefined) this.#log.info(how, "an agent has ended");
    else this.#log.warn({ ...how, reason: error }, "an agent was not started, or was cut off");
    if (this.process) this.#totals.running -= 1;
    this.process = undefined;
    const tail = this.#redact(stderr).slice(-KEPT_STDERR);
    this.lastExit = { at, code, signal, stderr: tail, ...(error !== undefined && { error: this.#redact(error) }) };
  }

  /** Cut only after the secrets are gone, or half of one would stay. */
  #keep(text: string): void {
    if (this.noiseLines.length < KEPT_NOISE) this.noiseLines.push(this.#redact(text).slice(0, NOISE_LENGTH));
  }
}

function reasonOf({
  code,
  signal,
  error,
}: Pick<Ending, "code" | "signal"> & { error: string | undefined }): ExitReason {
  if (error !== undefined) return "error";
  if (signal !== null) return "killed";
  return code === 0 ? "exited" : "failed";
}
