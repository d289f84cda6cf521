import type { Logger } from "pino";
import { type AnyAdapter, type Input, type SpawnOptions, STALLED_TIMER } from "../../adapters/index.js";
import type {
  AgentEvent,
  AgentHost,
  AgentListener,
  AgentProcess,
  ProcessKey,
  SpawnSpec,
} from "../process/agent-host.js";
import { Diagnostics } from "./diagnostics.js";
import type { Mail, Place } from "./mailbox.js";
import type { Effect, WorkLog } from "./pending-work.js";
import { Watchdog } from "./watchdog.js";

/** What a session runs its agent with. */
export interface SessionProcessOptions {
  readonly adapter: AnyAdapter;
  readonly host: AgentHost;
  readonly log: Logger;
  readonly now: () => number;
  /** How long a busy agent may be silent before its session is marked as stalled, in milliseconds. */
  readonly stalledMs: number;
  /** How long nothing may happen before the agent's process is ended, in milliseconds; never where it is left out. */
  readonly idleMs?: number | undefined;
  /** What to start; throws when it cannot be started. */
  readonly spawnSpec: (options: SpawnOptions) => SpawnSpec;
  /** Hears that the agent's process is gone. */
  readonly onExit?: () => void;
}

/** The session that a process works for. */
export interface ProcessOwner {
  readonly sessionID: string;
  readonly work: WorkLog;
  /** Takes one thing that happened. */
  post(input: Input<unknown>, seen?: Place): void;
  /** Takes a frame, with others that were read at once. */
  gather(frame: Mail & { readonly input: { readonly kind: "frame" } }): void;
}

/** The process of a session, one after the other: what is asked of it goes there, and what it does comes back as input. */
export class SessionProcess {
  readonly diagnostics = new Diagnostics();
  readonly #options: SessionProcessOptions;
  readonly #owner: ProcessOwner;
  readonly #stalled: Watchdog;
  readonly #idle: Watchdog | undefined;
  #process: AgentProcess | undefined;
  /** Why the gateway itself ends the process that runs. */
  #killedFor: string | undefined;

  constructor(options: SessionProcessOptions, owner: ProcessOwner) {
    const { now, stalledMs, idleMs } = options;
    const post = (input: Input<unknown>) => owner.post(input);
    this.#options = options;
    this.#owner = owner;
    this.#stalled = new Watchdog(stalledMs, now, () => post({ at: now(), kind: "wake", timer: STALLED_TIMER }));
    const hibernate = () => post({ at: now(), kind: "command", command: { type: "hibernate" } });
    this.#idle = idleMs === undefined ? undefined : new Watchdog(idleMs, now, hibernate);
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  get running(): boolean {
    return this.#process !== undefined;
  }

  /** Resolves when the process, if one runs, is gone and its end was taken in. */
  get exited(): Promise<void> {
    return this.#process?.exited ?? Promise.resolve();
  }

  get key(): ProcessKey {
    return { owner: this.#owner.sessionID, epoch: this.#owner.work.epoch };
  }

  /** Goes on with one that outlived its gateway and was heard up to this number; false where there is none. */
  attach(seq: number): boolean {
    const { host, adapter } = this.#options;
    this.#process = host.attach(this.key, adapter.channel, seq, this.#listener());
    if (this.#process) this.#watch();
    return this.running;
  }

  carryOut(effect: Effect): void {
    switch (effect.kind) {
      case "spawn":
        return this.#spawn(effect.options);
      case "send":
        return this.#process ? this.#process.send(effect.frame, effect.effect) : this.#owner.work.done(effect.effect);
      case "stop":
        return this.#process ? this.#process.stop(effect.how, effect.effect) : this.#owner.work.done(effect.effect);
    }
  }

  /** The session is used: from now on it must be idle for as long again before its process is ended. */
  used(): void {
    this.#idle?.heard();
  }

  /** Ends it without being asked by the session; what was open ends with the reason, where there is one. */
  stop(how: "end" | "kill", reason?: string): void {
    if (!this.#process) return;
    this.#killedFor = reason ?? this.#killedFor;
    this.#process.stop(how);
  }

  /** Lets it be: another gateway goes on with it. */
  leave(): void {
    this.#stalled.stop();
    this.#idle?.stop();
  }

  #watch(): void {
    this.#stalled.start();
    this.#idle?.start();
  }

  #spawn(options: SpawnOptions): void {
    const { host, now, spawnSpec } = this.#options;
    try {
      this.#process = host.spawn(spawnSpec(options), this.key, this.#listener());
      this.#watch();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#owner.work.clear();
      this.#owner.post({ at: now(), kind: "exit", code: null, signal: null, stderr: "", error: message });
    }
  }

  #listener(): AgentListener {
    const { log } = this.#options;
    const { sessionID, work } = this.#owner;
    const { epoch } = work;
    return {
      onEvent: (event) => this.#onEvent(event),
      onStderr: (text) => log.debug({ sessionID, stderr: text }, "agent stderr"),
      onDone: (effect) => {
        if (epoch === work.epoch) work.done(effect);
      },
    };
  }

  #onEvent(event: AgentEvent): void {
    if (event.epoch !== this.#owner.work.epoch) return;
    const { at } = event;
    this.#stalled.heard(at);
    switch (event.kind) {
      case "frame":
        return this.#onFrame(event, event.frame);
      case "noise":
        return this.diagnostics.noise(event.text);
      case "fault":
        this.diagnostics.noise(event.detail);
        return this.#owner.post({ at, kind: "fault", detail: event.detail }, placeOf(event));
      case "exit":
        return this.#onExit(event);
    }
  }

  #onFrame(event: AgentEvent, raw: unknown): void {
    const { adapter, log } = this.#options;
    const frame: unknown = adapter.parse(raw);
    if (frame !== undefined) {
      return this.#owner.gather({ input: { at: event.at, kind: "frame", frame }, raw, seen: placeOf(event) });
    }
    const kind = adapter.kindOf(raw);
    if (this.diagnostics.unknown(kind))
      log.warn({ sessionID: this.#owner.sessionID, kind }, "the agent sent a frame of an unknown kind");
  }

  #onExit(event: Extract<AgentEvent, { kind: "exit" }>): void {
    this.#process = undefined;
    this.#owner.work.ended();
    this.leave();
    this.#options.onExit?.();
    const { at, code, signal, stderr, error = this.#killedFor } = event;
    this.#killedFor = undefined;
    const exit = { at, kind: "exit" as const, code, signal, stderr, ...(error !== undefined && { error }) };
    this.#owner.post(exit, placeOf(event));
  }
}

function placeOf({ epoch, seq }: AgentEvent): Place {
  return { epoch, seq };
}
