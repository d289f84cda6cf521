import { readFile, stat } from "node:fs/promises";
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
import type { AgentEvent, AgentHost, AgentProcess, SpawnSpec } from "../process/agent-host.js";
import type { Checkpoint, Store } from "../store/store.js";
import { BlockIndex } from "./block-index.js";
import { Diagnostics } from "./diagnostics.js";
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
  readonly log: Logger;
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
  readonly blocks = new BlockIndex();
  readonly diagnostics = new Diagnostics();
  readonly #deps: LiveSessionDeps;
  readonly #mailbox: Mail[] = [];
  readonly #listeners = new Set<(event: WireEvent) => void>();
  readonly #timers: Timers;
  readonly #watchdog: Watchdog;
  #state: unknown;
  #process: AgentProcess | undefined;
  #seen: Place;
  /** Why the gateway itself ends the process that runs. */
  #killedFor: string | undefined;
  #draining = false;
  /** Frames wait for the end of what was read with them. */
  #gathering = false;
  /** Nothing happens to it any more; its agent is being ended. */
  #closed = false;

  constructor(deps: LiveSessionDeps, sessionID: string, start: Checkpoint) {
    this.#deps = deps;
    this.sessionID = sessionID;
    this.#state = start.state;
    this.#seen = { epoch: start.epoch, seq: start.seq };
    this.#timers = new Timers((timer) => this.#wake(timer));
    this.#watchdog = new Watchdog(deps.stalledMs, deps.now, () => this.#wake(STALLED_TIMER));
  }

  /**
   * Takes a command and returns when it is stored; what it sets going goes on by itself. Throws when it could not be
   * stored: then it was not taken. Not to be called from inside a step, whose listeners hear of it too early.
   */
  command(command: Command): void {
    if (this.#draining) throw new Error("a command may not be given from inside a step");
    if (this.#closed) throw new GatewayError("conflict", `the session ${this.sessionID} is being closed`);
    this.#mailbox.push({ input: { at: this.#deps.now(), kind: "command", command } });
    try {
      this.#drain();
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
  }

  /** Ends the agent's process at once; what was open ends with this reason. */
  kill(reason: string): void {
    if (!this.#process) return;
    this.#killedFor = reason;
    this.#process.stop("kill");
  }

  /** Closes what is open because the process that worked on it is gone with an earlier gateway. */
  lose(): void {
    this.#post({ at: this.#deps.now(), kind: "exit", code: null, signal: null, stderr: "", lost: true });
  }

  #wake(timer: string): void {
    this.#post({ at: this.#deps.now(), kind: "wake", timer });
  }

  #post(input: Input<unknown>, seen?: Place): void {
    if (this.#closed) return;
    this.#mailbox.push({ input, seen });
    this.#settle();
  }

  /**
   * Frames are taken when all that was read together is here, which is before anything else happens: a burst of deltas is
   * then one step. A recorder hears each by itself.
   */
  #gather(at: number, frame: unknown, raw: unknown, seen: Place): void {
    if (this.#closed) return;
    const last = this.#mailbox.at(-1);
    const joined =
      last?.input.kind === "frame" && !this.#deps.tap && this.#deps.adapter.join?.(last.input.frame, frame);
    if (joined) {
      last.input = { at, kind: "frame", frame: joined };
      last.seen = seen;
      return;
    }
    this.#mailbox.push({ input: { at, kind: "frame", frame }, raw, seen });
    if (this.#gathering) return;
    this.#gathering = true;
    queueMicrotask(() => {
      this.#gathering = false;
      this.#settle();
    });
  }

  /** Takes what waits. It happened by itself: there is nobody to tell of a failure but the log. */
  #settle(): void {
    if (this.#draining) return;
    try {
      this.#drain();
    } catch (error) {
      this.#deps.log.error({ sessionID: this.sessionID, error }, "a step failed");
      this.revert();
    }
  }

  #drain(): void {
    this.#draining = true;
    try {
      for (let next = this.#mailbox.shift(); next; next = this.#mailbox.shift()) this.#step(next);
    } finally {
      this.#draining = false;
    }
  }

  #step({ input, raw, seen }: Mail): void {
    const { adapter, tap } = this.#deps;
    this.#seen = seen ?? this.#seen;
    tap?.onInput(input, raw);
    const { state, outputs } = adapter.step(this.#state, input);
    this.#state = state;
    tap?.onOutputs(outputs);
    const events = eventsOf(outputs);
    this.#store(events);
    // What the agent is told must not be forgotten by a crash right after.
    if (outputs.some((output) => output.kind === "send" || output.kind === "spawn")) this.#deps.store.flush();
    for (const output of outputs) this.#carryOut(output);
    for (const event of events) for (const listener of this.#listeners) listener(event);
  }

  #store(events: readonly WireEvent[]): void {
    for (const event of events) this.blocks.apply(event);
    const { epoch, seq } = this.#seen;
    const checkpoint = { state: this.#state, epoch, seq };
    this.#deps.store.write({ sessionID: this.sessionID, events, checkpoint });
  }

  #carryOut(output: Output): void {
    switch (output.kind) {
      case "wire":
        return;
      case "send":
        this.#process?.send(output.frame);
        return;
      case "spawn":
        return this.#spawn(output);
      case "stop":
        this.#process?.stop(output.how);
        return;
      case "wake":
        return this.#timers.set(output.timer, output.afterMs);
      case "read":
        void this.#read(output);
        return;
    }
  }

  #spawn(options: SpawnOptions): void {
    const { host, log, now, spawnSpec } = this.#deps;
    try {
      const agent = host.spawn(spawnSpec(options), {
        onEvent: (event) => this.#onAgentEvent(event),
        onStderr: (text) => log.debug({ sessionID: this.sessionID, stderr: text }, "agent stderr"),
      });
      this.#process = agent;
      this.#watchdog.start();
      this.#seen = { epoch: agent.epoch, seq: 0 };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#post({ at: now(), kind: "exit", code: null, signal: null, stderr: "", error: message });
    }
  }

  #onAgentEvent(event: AgentEvent): void {
    if (this.#process && event.epoch !== this.#process.epoch) return;
    const { at } = event;
    this.#watchdog.heard(at);
    switch (event.kind) {
      case "frame":
        return this.#onFrame(event, event.frame);
      case "noise":
        return this.diagnostics.noise(event.text);
      case "fault":
        this.diagnostics.noise(event.detail);
        return this.#post({ at, kind: "fault", detail: event.detail }, event);
      case "exit": {
        this.#process = undefined;
        this.#watchdog.stop();
        this.#deps.onExit?.();
        const { code, signal, stderr, error = this.#killedFor } = event;
        this.#killedFor = undefined;
        return this.#post({ at, kind: "exit", code, signal, stderr, ...(error !== undefined && { error }) }, event);
      }
    }
  }

  #onFrame(event: AgentEvent, raw: unknown): void {
    const { adapter, log } = this.#deps;
    const frame: unknown = adapter.parse(raw);
    if (frame !== undefined) return this.#gather(event.at, frame, raw, event);
    const kind = adapter.kindOf(raw);
    if (this.diagnostics.unknown(kind))
      log.warn({ sessionID: this.sessionID, kind }, "the agent sent a frame of an unknown kind");
  }

  async #read(output: Extract<Output, { kind: "read" }>): Promise<void> {
    const text = await readText(output.path, output.maxBytes);
    this.#post({ at: this.#deps.now(), kind: "file", token: output.token, text });
  }
}

/** How far a process was heard. */
interface Place {
  readonly epoch: number;
  readonly seq: number;
}

interface Mail {
  input: Input<unknown>;
  /** The frame as it came, before it was read. */
  readonly raw?: unknown;
  /** Where an agent's event stands among all of its process. */
  seen?: Place | undefined;
}

function eventsOf(outputs: readonly Output[]): WireEvent[] {
  const events: WireEvent[] = [];
  for (const output of outputs) if (output.kind === "wire") events.push(output.event);
  return events;
}

/** A file's text; null when it is missing, unreadable, too large or not text. */
async function readText(path: string, maxBytes: number): Promise<string | null> {
  try {
    const info = await stat(path);
    if (!info.isFile() || info.size > maxBytes) return null;
    const text = await readFile(path, "utf8");
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}
