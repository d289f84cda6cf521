import type { Command, Input, Output } from "../../adapters/index.js";
import type { WireEvent } from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import type { Checkpoint, Store } from "../store/store.js";
import { BlockIndex } from "./block-index.js";
import type { Diagnostics } from "./diagnostics.js";
import { type Mail, Mailbox, type Place } from "./mailbox.js";
import { countWork, type PendingWork, WorkLog } from "./pending-work.js";
import { readText } from "./read-text.js";
import { SessionProcess, type SessionProcessOptions } from "./session-process.js";
import { Timers } from "./timers.js";

/** How long to wait before a session's end is stored that could not be: a full disk is not freed in a moment. */
const RETRY_MS = 5000;

/** Hears each step of a session: what a recorder writes down. */
export interface SessionTap {
  onInput(input: Input<unknown>, raw?: unknown): void;
  onOutputs(outputs: readonly Output[]): void;
}

export interface LiveSessionDeps extends SessionProcessOptions {
  readonly store: Store;
  readonly tap?: SessionTap | undefined;
}

/**
 * One session at work: everything that happens to it passes through one mailbox, one step at a time. A step's events
 * are stored before anything else it asked for is done.
 */
export class LiveSession {
  readonly sessionID: string;
  readonly blocks: BlockIndex;
  readonly #deps: LiveSessionDeps;
  readonly #mailbox = new Mailbox(
    (mail) => this.#step(mail),
    (error) => this.#onFailure(error),
  );
  readonly #listeners = new Set<(event: WireEvent) => void>();
  readonly #timers: Timers;
  readonly #log: WorkLog;
  readonly #process: SessionProcess;
  #state: unknown;
  #seen: Place;
  /** Set while a turn is to be closed whose process is gone, and could not be yet. */
  #closeLater: NodeJS.Timeout | undefined;
  /** Nothing happens to it any more; its agent is being ended, or left to another gateway. */
  #closed = false;

  constructor(deps: LiveSessionDeps, sessionID: string, start: Checkpoint) {
    this.#deps = deps;
    this.sessionID = sessionID;
    this.blocks = new BlockIndex(({ decidedBy }) => {
      deps.totals.decisions[decidedBy] += 1;
    });
    this.#state = start.state;
    this.#seen = { epoch: start.epoch, seq: start.seq };
    this.#log = new WorkLog(start.epoch, () => deps.host.id, start.pending as PendingWork | undefined);
    this.#timers = new Timers((timer) => this.#wake(timer));
    this.#process = new SessionProcess(deps, {
      sessionID,
      work: this.#log,
      post: (input, seen) => this.#post(input, seen),
      gather: (frame) => this.#gather(frame),
    });
  }

  /**
   * Goes on where an earlier gateway was cut off. Its process may have outlived it, or was to be started; then what was
   * asked for and not seen done is done now. Where it is gone, what it worked on is closed.
   */
  goOn(): void {
    const { host, now, store } = this.#deps;
    const { outbox, timers, reads } = this.#log.work;
    if (this.#log.work.host !== host.id) return this.lose();
    this.blocks.reset(store.blocks({ sessionID: this.sessionID }));
    // Before the frames that came meanwhile.
    for (const read of reads) void this.#read(read);
    const lives = this.#process.attach(this.#seen.seq);
    const toStart = outbox.find(({ kind }) => kind === "spawn");
    if (!lives && !toStart) return this.lose();
    if (lives && toStart) this.#log.done(toStart.effect);
    for (const effect of this.#log.work.outbox) this.#process.carryOut(effect);
    if (this.running) this.#tellReattached();
    for (const [timer, due] of Object.entries(timers)) this.#timers.set(timer, Math.max(0, due - now()));
  }

  /**
   * Takes a command and returns when it is stored; what it sets going goes on by itself. Throws when it could not be
   * stored: then it was not taken. Not to be called from inside a step, whose listeners hear of it too early.
   */
  command(command: Command): void {
    if (this.#mailbox.isDraining) throw new Error("a command may not be given from inside a step");
    if (this.#closed) throw new GatewayError("conflict", `the session ${this.sessionID} is being closed`);
    if (this.#closeLater) this.#closeLost();
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
   * its process is ended; the next prompt brings it back with its history. Where that end is what was lost, it is told
   * again until it can be stored, or the turn would never end.
   */
  revert(): void {
    if (!this.#readState()) return;
    if (this.running) return this.#process.stop("kill");
    const { store } = this.#deps;
    if (this.#closed || this.#closeLater || store.session(this.sessionID)?.status.type === "idle") return;
    this.#closeLater = setTimeout(() => this.#closeLost(), RETRY_MS).unref();
  }

  #closeLost(): void {
    this.#stopClosing();
    this.lose();
  }

  #stopClosing(): void {
    clearTimeout(this.#closeLater);
    this.#closeLater = undefined;
  }

  /** Forgets what it holds in memory and goes on from what is stored, with the agent's process as it is. */
  reload(): void {
    this.#deps.store.flush();
    this.#readState();
    if (this.running) this.#tellReattached();
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
    return this.#process.pid;
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
    return this.#process.exited;
  }

  get running(): boolean {
    return this.#process.running;
  }

  get diagnostics(): Diagnostics {
    return this.#process.diagnostics;
  }

  /**
   * Ends the agent's process, for good. What is open is closed before, as lost with the gateway: an agent whose input ends
   * decides by itself what it asked for, and may begin turns that nobody will see.
   */
  async close(): Promise<void> {
    this.lose();
    this.#closed = true;
    this.#stopClosing();
    this.#timers.clear();
    this.#process.stop("end");
    await this.exited;
    this.#deps.host.acknowledge(this.#process.key, Number.MAX_SAFE_INTEGER);
  }

  /** Leaves everything as it is, the agent's process too: another gateway goes on with it. */
  leave(): void {
    this.#closed = true;
    this.#mailbox.clear();
    this.#stopClosing();
    this.#timers.clear();
    this.#process.leave();
  }

  /** Ends the agent's process at once; what was open ends with this reason. */
  kill(reason: string): void {
    this.#process.stop("kill", reason);
  }

  /** Closes what is open because the process that worked on it is gone with an earlier gateway. */
  lose(): void {
    this.#log.clear();
    this.#mailbox.clear();
    this.#post({ at: this.#deps.now(), kind: "exit", code: null, signal: null, stderr: "", lost: true });
  }

  #wake(timer: string): void {
    this.#post({ at: this.#deps.now(), kind: "wake", timer });
  }

  #post(input: Input<unknown>, seen?: Place): void {
    if (!this.#closed) this.#mailbox.post({ input, seen });
  }

  /** A recorder hears each frame by itself. */
  #gather(frame: Parameters<Mailbox["gather"]>[0]): void {
    const { adapter, tap } = this.#deps;
    if (!this.#closed) this.#mailbox.gather(frame, tap ? undefined : adapter.join);
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
    if (input.kind === "command" || events.length > 0) this.#process.used();
    const effects = this.#log.note(outputs, input.at);
    this.#seen = this.#log.startOf(this.#seen);
    this.#store(events);
    // What the agent is told must not be forgotten by a crash right after.
    if (effects.length > 0) store.flush();
    for (const effect of effects) this.#process.carryOut(effect);
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

  /** The agent's next frames wait for the file: a turn that ended meanwhile would end without what is in it. */
  async #read({ token, path, maxBytes }: Extract<Output, { kind: "read" }>): Promise<void> {
    const arrive = this.#mailbox.await();
    const text = await readText(path, maxBytes);
    arrive({ input: { at: this.#deps.now(), kind: "file", token, text } });
  }
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
