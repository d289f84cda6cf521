import { readFile, stat } from "node:fs/promises";
import type { Logger } from "pino";
import type { AnyAdapter, Command, Input, Output } from "../../adapters/index.js";
import type { WireEvent } from "../../schemas/index.js";
import type { AgentEvent, AgentHost, AgentProcess, SpawnSpec } from "../process/agent-host.js";
import type { Checkpoint, Store } from "../store/store.js";
import { BlockIndex } from "./block-index.js";
import { Diagnostics } from "./diagnostics.js";
import { Timers } from "./timers.js";

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
  /** What to start; throws when it cannot be started. */
  readonly spawnSpec: (resume: string | undefined) => SpawnSpec;
  readonly tap?: SessionTap | undefined;
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
  #state: unknown;
  #process: AgentProcess | undefined;
  #seen: { epoch: number; seq: number };
  #draining = false;
  /** The gateway is ending: an exit now is its doing. */
  #closing = false;

  constructor(deps: LiveSessionDeps, sessionID: string, start: Checkpoint) {
    this.#deps = deps;
    this.sessionID = sessionID;
    this.#state = start.state;
    this.#seen = { epoch: start.epoch, seq: start.seq };
    this.#timers = new Timers((timer) => this.#post({ at: deps.now(), kind: "wake", timer }));
  }

  /** Takes a command and returns when it is stored; what it sets going goes on by itself. */
  command(command: Command): void {
    this.#post({ at: this.#deps.now(), kind: "command", command });
    this.#deps.store.flush();
  }

  onWire(listener: (event: WireEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The id of the agent's process while one runs. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  get running(): boolean {
    return this.#process !== undefined;
  }

  /** Ends the agent's process, for good. What is open is closed as lost with the gateway. */
  async close(): Promise<void> {
    this.#closing = true;
    const agent = this.#process;
    agent?.stop("end");
    await agent?.exited;
    this.#timers.clear();
    this.lose();
  }

  /** Closes what is open because the process that worked on it is gone with an earlier gateway. */
  lose(): void {
    this.#post({ at: this.#deps.now(), kind: "exit", code: null, signal: null, stderr: "", lost: true });
  }

  #post(input: Input<unknown>, raw?: unknown): void {
    this.#mailbox.push({ input, raw });
    if (this.#draining) return;
    this.#draining = true;
    try {
      for (let mail = this.#mailbox.shift(); mail; mail = this.#mailbox.shift()) this.#step(mail);
    } finally {
      this.#draining = false;
    }
  }

  #step({ input, raw }: Mail): void {
    const { adapter, tap } = this.#deps;
    tap?.onInput(input, raw);
    const { state, outputs } = adapter.step(this.#state, input);
    this.#state = state;
    tap?.onOutputs(outputs);
    const events = outputs.flatMap((output) => (output.kind === "wire" ? [output.event] : []));
    this.#store(events);
    // What the agent is told must not be forgotten by a crash right after.
    if (outputs.some((output) => output.kind === "send" || output.kind === "spawn")) this.#deps.store.flush();
    for (const output of outputs) this.#carryOut(output);
    for (const event of events) for (const listener of this.#listeners) listener(event);
  }

  #store(events: readonly WireEvent[]): void {
    for (const event of events) this.blocks.apply(event);
    const checkpoint = { state: this.#state, ...this.#seen };
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
        return this.#spawn(output.resume);
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

  #spawn(resume: string | undefined): void {
    const { host, log, now, spawnSpec } = this.#deps;
    if (this.#closing) return this.lose();
    try {
      const agent = host.spawn(spawnSpec(resume), {
        onEvent: (event) => this.#onAgentEvent(event),
        onStderr: (text) => log.debug({ sessionID: this.sessionID, stderr: text }, "agent stderr"),
      });
      this.#process = agent;
      this.#seen = { epoch: agent.epoch, seq: 0 };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#post({ at: now(), kind: "exit", code: null, signal: null, stderr: "", error: message });
    }
  }

  #onAgentEvent(event: AgentEvent): void {
    if (this.#process && event.epoch !== this.#process.epoch) return;
    this.#seen = { epoch: event.epoch, seq: event.seq };
    const { at } = event;
    switch (event.kind) {
      case "frame":
        return this.#onFrame(at, event.frame);
      case "noise":
        return this.diagnostics.noise(event.text);
      case "fault":
        this.diagnostics.noise(event.detail);
        return this.#post({ at, kind: "fault", detail: event.detail });
      case "exit": {
        this.#process = undefined;
        const { code, signal, stderr, error } = event;
        const lost = this.#closing ? { lost: true } : {};
        return this.#post({ at, kind: "exit", code, signal, stderr, ...(error !== undefined && { error }), ...lost });
      }
    }
  }

  #onFrame(at: number, raw: unknown): void {
    const { adapter, log } = this.#deps;
    const frame: unknown = adapter.parse(raw);
    if (frame !== undefined) return this.#post({ at, kind: "frame", frame }, raw);
    const kind = adapter.kindOf(raw);
    if (this.diagnostics.unknown(kind))
      log.warn({ sessionID: this.sessionID, kind }, "the agent sent a frame of an unknown kind");
  }

  async #read(output: Extract<Output, { kind: "read" }>): Promise<void> {
    const text = await readText(output.path, output.maxBytes);
    this.#post({ at: this.#deps.now(), kind: "file", token: output.token, text });
  }
}

interface Mail {
  readonly input: Input<unknown>;
  /** The frame as it came, before it was read. */
  readonly raw: unknown;
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
