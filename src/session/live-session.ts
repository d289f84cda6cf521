import type { Logger } from "pino";
import {
  type AnyAdapter,
  type Command,
  type Input,
  type Output,
  type SpawnOptions,
  STALLED_TIMER,
} from "../../adapters/index.js";
import type { WireEvent } from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import {
  type AgentEvent,
  type AgentHost,
  type AgentListener,
  type AgentProcess,
  type ProcessKey,
  SPAWN_EFFECT,
  type SpawnSpec,
} from "../process/agent-host.js";
import type { Redact } from "../redact.js";
import type { Checkpoint, Store } from "../store/store.js";
import type { AgentTotals } from "./agent-totals.js";
import { BlockIndex } from "./block-index.js";
import { Diagnostics } from "./diagnostics.js";
import { type Mail, Mailbox, type Place } from "./mailbox.js";
import { countWork, type Effect, type PendingWork, WorkLog } from "./pending-work.js";
import { readText } from "./read-text.js";
import { Timers } from "./timers.js";
import { Watchdog } from "./watchdog.js";

/** Hears each step of a session: what a recorder writes down. */
export interface SessionTap {
  onInput(input: Input<unknown>, raw?: unknown): void;
  onOutputs(outputs: readonly Output[]): void;
}

export interface LiveSessionDeps {
  readonly adapter: AnyAdapter;
  readonly store: Store;
  readonly host: AgentHost;
  /** One that names the session. */
  readonly log: Logger;
  readonly totals: AgentTotals;
  readonly redact: Redact;
  readonly now: () => number;
  /** How long a busy agent may be silent before its session is marked as stalled, in milliseconds. */
  readonly stalledMs: number;
  /** What to start; throws when it cannot be started. */
  readonly spawnSpec: (options: SpawnOptions) => SpawnSpec;
  readonly tap?: SessionTap | undefined;
  /** Hears that the agent's process is gone. */
  readonly onExit?: () => void;
}

/**
 * One session at work: everything that happens to it passes through one mailbox, one step at a time. A step's events
 * are stored before anything else it asked for is done.
 */
export class LiveSession {
  readonly sessionID: string;
  readonly blocks: BlockIndex;
  readonly diagnostics: Diagnostics;
  readonly #deps: LiveSessionDeps;
  readonly #mailbox = new Mailbox(
    (mail) => this.#step(mail),
    (error) => this.#onFailure(error),
  );
  readonly #listeners = new Set<(event: WireEvent) => void>();
  readonly #timers: Timers;
  readonly #watchdog: Watchdog;
  readonly #log: WorkLog;
  #state: unknown;
  #process: AgentProcess | undefined;
  #seen: Place;
  /** Why the gateway itself ends the process that runs. */
  #killedFor: string | undefined;
  /** Nothing happens to it any more; its agent is being ended, or left to another gateway. */
  #closed = false;

  constructor(deps: LiveSessionDeps, sessionID: string, start: Checkpoint) {
    this.#deps = deps;
    this.sessionID = sessionID;
    this.blocks = new BlockIndex(({ decidedBy }) => {
      deps.totals.decisions[decidedBy] += 1;
    });
    this.diagnostics = new Diagnostics(deps);
    this.#state = start.state;
    this.#seen = { epoch: start.epoch, seq: start.seq };
    this.#log = new WorkLog(start.epoch, () => deps.host.id, start.pending as PendingWork | undefined);
    this.#timers = new Timers((timer) => this.#wake(timer));
    this.#watchdog = new Watchdog(deps.stalledMs, deps.now, () => this.#wake(STALLED_TIMER));
  }

  /**
   * Goes on where an earlier gateway was cut off. Its process may have outlived it, or was to be started; then what was
   * asked for and not seen done is done now. Where it is gone, what it worked on is closed.
   */
  goOn(): void {
    const { host, adapter, now, store } = this.#deps;
    const { outbox, timers, reads } = this.#log.work;
    if (this.#log.work.host !== host.id) return this.lose();
    this.blocks.reset(store.blocks({ sessionID: this.sessionID }));
    this.#process = host.attach(this.#key, adapter.channel, this.#seen.seq, this.#listener());
    const toStart = outbox.find(({ kind }) => kind === "spawn");
    if (!this.#process && !toStart) return this.lose();
    if (this.#process) this.diagnostics.attached(this.#process.pid, now());
    if (this.#process) this.#watchdog.start();
    if (this.#process && toStart) this.#log.done(toStart.effect);
    for (const effect of this.#log.work.outbox) this.#carryOut(effect);
    if (this.#process) this.#tellReattached();
    for (const [timer, due] of Object.entries(timers)) this.#timers.set(timer, Math.max(0, due - now()));
    for (const read of reads) void this.#read(read);
  }

  get #key(): ProcessKey {
    return { owner: this.sessionID, epoch: this.#log.epoch };
  }

  /**
   * Takes a command and returns when it is stored; what it sets going goes on by itself. Throws when it could not be
   * stored: then it was not taken. Not to be called from inside a step, whose listeners hear of it too early.
   */
  command(command: Command): void {
    if (this.#mailbox.isDraining) throw new Error("a command may not be given from inside a step");
    if (this.#closed) throw new GatewayError("conflict", `the session ${this.sessionID} is being closed`);
    try {
      this.#mailbox.takeNow({ input: { at: this.#deps.now(), kind: "command", command } });
      this.#deps.store.flush();
    } catch (error) {
      this.revert();
      throw error;
    }
  }

  /**
   * Goes back to the last state that was stored, because what came after it is lost. The agent is ahead of that state, so
   * its process is ended; the next prompt brings it back with its history.
   */
  revert(): void {
    if (this.#readState()) this.#process?.stop("kill");
  }

  /** Forgets what it holds in memory and goes on from what is stored, with the agent's process as it is. */
  reload(): void {
    this.#deps.store.flush();
    this.#readState();
    if (this.#process) this.#tellReattached();
  }

  #tellReattached(): void {
    this.#post({ at: this.#deps.now(), kind: "command", command: { type: "reattached" } });
  }

  /** Whether there was a state to read. */
  #readState(): boolean {
    const checkpoint = this.#deps.store.checkpoint(this.sessionID);
    if (!checkpoint) return false;
    this.#state = checkpoint.state;
    this.blocks.reset(this.#deps.store.blocks({ sessionID: this.sessionID }));
    return true;
  }

  onWire(listener: (event: WireEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The id of the agent's process while one runs. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** How many processes it had, under all gateways. */
  get processes(): number {
    return this.#log.epoch;
  }

  /** How much waits: to be taken in, and to be done. */
  get waiting() {
    return { inputs: this.#mailbox.size, ...countWork(this.#log.work) };
  }

  /** The adapter's state, as it is now. */
  get state(): unknown {
    return this.#state;
  }

  /** Resolves when the agent's process, if one runs, is gone and its end was taken in. */
  get exited(): Promise<void> {
    return this.#process?.exited ?? Promise.resolve();
  }

  get running(): boolean {
    return this.#process !== undefined;
  }

  /**
   * Ends the agent's process, for good. What is open is closed before, as lost with the gateway: an agent whose input ends
   * decides by itself what it asked for, and may begin turns that nobody will see.
   */
  async close(): Promise<void> {
    this.lose();
    this.#closed = true;
    this.#timers.clear();
    const agent = this.#process;
    agent?.stop("end");
    await agent?.exited;
    this.#deps.host.acknowledge(this.#key, Number.MAX_SAFE_INTEGER);
  }

  /** Leaves everything as it is, the agent's process too: another gateway goes on with it. */
  leave(): void {
    this.#closed = true;
    this.#timers.clear();
    this.#watchdog.stop();
  }

  /** Ends the agent's process at once; what was open ends with this reason. */
  kill(reason: string): void {
    if (!this.#process) return;
    this.#killedFor = reason;
    this.#process.stop("kill");
  }

  /** Closes what is open because the process that worked on it is gone with an earlier gateway. */
  lose(): void {
    this.#log.clear();
    this.#post({ at: this.#deps.now(), kind: "exit", code: null, signal: null, stderr: "", lost: true });
  }

  #wake(timer: string): void {
    this.#post({ at: this.#deps.now(), kind: "wake", timer });
  }

  #post(input: Input<unknown>, seen?: Place): void {
    if (!this.#closed) this.#mailbox.post({ input, seen });
  }

  /** It happened by itself: there is nobody to tell of a failure but the log. */
  #onFailure(error: unknown): void {
    this.#deps.log.error({ error }, "a step failed");
    this.revert();
  }

  #step({ input, raw, seen }: Mail): void {
    const { adapter, tap, store } = this.#deps;
    this.#seen = seen ?? this.#seen;
    this.#log.took(input);
    tap?.onInput(input, raw);
    const { state, outputs } = adapter.step(this.#state, input);
    this.#state = state;
    tap?.onOutputs(outputs);
    const events = eventsOf(outputs);
    if (input.kind === "wake" && events.some(saysStalled)) this.diagnostics.stalled();
    const effects = this.#log.note(outputs, input.at);
    this.#seen = this.#log.startOf(this.#seen);
    this.#store(events);
    // What the agent is told must not be forgotten by a crash right after.
    if (effects.length > 0) store.flush();
    for (const effect of effects) this.#carryOut(effect);
    for (const output of outputs) {
      if (output.kind === "wake") this.#timers.set(output.timer, output.afterMs);
      if (output.kind === "read") void this.#read(output);
    }
    for (const event of events) for (const listener of this.#listeners) listener(event);
  }

  #store(events: readonly WireEvent[]): void {
    for (const event of events) this.blocks.apply(event);
    const checkpoint = { state: this.#state, ...this.#seen, pending: this.#log.work };
    this.#deps.store.write({ sessionID: this.sessionID, events, checkpoint });
  }

  #carryOut(effect: Effect): void {
    switch (effect.kind) {
      case "spawn":
        return this.#spawn(effect.options);
      case "send":
        return this.#process ? this.#process.send(effect.frame, effect.effect) : this.#log.done(effect.effect);
      case "stop":
        return this.#process ? this.#process.stop(effect.how, effect.effect) : this.#log.done(effect.effect);
    }
  }

  #spawn(options: SpawnOptions): void {
    const { host, now, spawnSpec } = this.#deps;
    try {
      const spec = spawnSpec(options);
      this.diagnostics.started(spec.command, now());
      this.#process = host.spawn(spec, this.#key, this.#listener());
      this.#notePid();
      this.#watchdog.start();
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown.message : String(thrown);
      this.#log.clear();
      const exit = { at: now(), code: null, signal: null, stderr: "", error };
      this.diagnostics.ended(exit);
      this.#post({ kind: "exit", ...exit });
    }
  }

  /** A process of the agent host has its id only when it was started there. */
  #notePid(): void {
    if (this.#process?.pid !== undefined) this.diagnostics.runs(this.#process.pid);
  }

  #listener(): AgentListener {
    const { epoch } = this.#log;
    return {
      onEvent: (event) => this.#onAgentEvent(event),
      onStderr: (text) => this.diagnostics.stderr(text),
      onDone: (effect) => {
        if (epoch !== this.#log.epoch) return;
        this.#log.done(effect);
        if (effect === SPAWN_EFFECT) this.#notePid();
      },
    };
  }

  #onAgentEvent(event: AgentEvent): void {
    if (event.epoch !== this.#log.epoch) return;
    const { at } = event;
    this.#watchdog.heard(at);
    switch (event.kind) {
      case "frame":
        this.diagnostics.frame(at);
        return this.#onFrame(event, event.frame);
      case "noise":
        return this.diagnostics.noise(event.text);
      case "fault":
        this.diagnostics.fault(event.detail);
        return this.#post({ at, kind: "fault", detail: event.detail }, placeOf(event));
      case "exit":
        return this.#onExit(event);
    }
  }

  #onExit(event: Extract<AgentEvent, { kind: "exit" }>): void {
    this.#process = undefined;
    this.#log.ended();
    this.#watchdog.stop();
    this.#deps.onExit?.();
    const { at, code, signal, stderr, error = this.#killedFor } = event;
    this.#killedFor = undefined;
    const exit = { at, code, signal, stderr, ...(error !== undefined && { error }) };
    this.diagnostics.ended(exit);
    this.#post({ kind: "exit", ...exit }, placeOf(event));
  }

  /** A recorder hears each frame by itself. */
  #onFrame(event: AgentEvent, raw: unknown): void {
    const { adapter, tap } = this.#deps;
    const frame: unknown = adapter.parse(raw);
    if (frame !== undefined) {
      if (this.#closed) return;
      const mail = { input: { at: event.at, kind: "frame" as const, frame }, raw, seen: placeOf(event) };
      return this.#mailbox.gather(mail, tap ? undefined : adapter.join);
    }
    this.diagnostics.unknown(adapter.kindOf(raw));
  }

  async #read(output: Extract<Output, { kind: "read" }>): Promise<void> {
    const text = await readText(output.path, output.maxBytes);
    this.#post({ at: this.#deps.now(), kind: "file", token: output.token, text });
  }
}

function placeOf({ epoch, seq }: AgentEvent): Place {
  return { epoch, seq };
}

function saysStalled(event: WireEvent): boolean {
  const status = event.type === "session.status" && event.properties.status;
  return status !== false && status.type === "busy" && status.stalled === true;
}

function eventsOf(outputs: readonly Output[]): WireEvent[] {
  const events: WireEvent[] = [];
  for (const output of outputs) if (output.kind === "wire") events.push(output.event);
  return events;
}
