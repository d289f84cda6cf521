import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import type { Logger } from "pino";
import {
  type AnyAdapter,
  LaunchRefused,
  type Output,
  type SessionSeed,
  type SpawnOptions,
  type Step,
} from "../../adapters/index.js";
import { idSeed, type MessageWithParts, type Params, type Session } from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import type { AgentHost, ProcessKey, SpawnSpec } from "../process/agent-host.js";
import type { Checkpoint, Store } from "../store/store.js";
import { Attachments } from "../transcripts/attachments.js";
import { nativeIDOf } from "../transcripts/stored-session.js";
import type { AgentPrograms } from "./agent-programs.js";
import { checkTools } from "./check-request.js";
import { defined } from "./defined.js";
import { LiveSession, type SessionTap } from "./live-session.js";
import type { NativeLocks } from "./native-locks.js";
import { realDirectory } from "./real-directory.js";

const DEFAULT_MAX_LINE_BYTES = 64 * 1024 * 1024;
const DEFAULT_STALLED_MS = 5 * 60 * 1000;

export interface SessionRegistryOptions {
  readonly store: Store;
  readonly host: AgentHost;
  readonly programs: AgentPrograms;
  readonly log: Logger;
  readonly now?: () => number;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The largest line an agent may write, in bytes; 64 MiB. */
  readonly maxLineBytes?: number;
  /** How long a busy agent may be silent before its session is marked as stalled, in milliseconds; 5 minutes. */
  readonly stalledMs?: number;
  /**
   * How long nothing may happen in a session before its agent's process is ended, in milliseconds; never by default. The
   * next prompt brings it back, so agents that cannot take up a conversation are left alone.
   */
  readonly idleMs?: number;
  /** Directories sessions may work in, with all below them; everywhere when empty. */
  readonly roots?: readonly string[];
  /** Keeps other gateways off the agents' sessions that this one works on. */
  readonly locks?: NativeLocks;
  /** Hears every step of a session from its start; for recorders. */
  readonly tap?: (seed: SessionSeed, forkedFrom?: ForkedFrom) => SessionTap | undefined;
}

/** The session that a fork began as a copy of: its adapter's state, and the messages that were taken along. */
export interface ForkedFrom {
  readonly state: unknown;
  readonly history: readonly MessageWithParts[];
}

/** What a launch follows from: the session's record, or what it will be. */
type Launchable = Pick<Session, "directory" | "mode"> & { readonly model?: string | undefined };

/** The sessions at work, and how one comes to be: made anew, copied from another, or brought back from its checkpoint. */
export class SessionRegistry {
  readonly #options: SessionRegistryOptions;
  readonly #live = new Map<string, LiveSession>();
  readonly now: () => number;
  /** The sessions that run in a terminal. */
  readonly attachments: Attachments;

  constructor(options: SessionRegistryOptions) {
    this.#options = options;
    this.now = options.now ?? Date.now;
    this.attachments = this.#createAttachments();
    options.store.onCheckpoint((owner, { epoch, seq }) => options.host.acknowledge({ owner, epoch }, seq));
    this.#goOnWithUnfinished();
    void this.attachments.restore();
  }

  all(): LiveSession[] {
    return [...this.#live.values()];
  }

  get(sessionID: string): LiveSession | undefined {
    return this.#live.get(sessionID);
  }

  /** The record of a session; throws `not_found`. */
  record(sessionID: string): Session {
    const session = this.#options.store.session(sessionID);
    if (session) return session;
    throw new GatewayError("not_found", `there is no session ${sessionID}`, { field: "sessionID" });
  }

  /** The root session at work, brought back from its checkpoint where this gateway has not used it yet. */
  open(sessionID: string): LiveSession {
    const session = this.record(sessionID);
    if (session.parentID !== undefined) {
      throw new GatewayError("not_supported", "a subagent's session is driven by its parent", { field: "sessionID" });
    }
    const live = this.#live.get(sessionID);
    if (live) return live;
    this.attachments.release(session);
    const checkpoint = this.#options.store.checkpoint(sessionID);
    if (!checkpoint) throw new GatewayError("storage", `the session ${sessionID} has no checkpoint to go on from`);
    const revived = this.#start(sessionID, this.#options.programs.adapterOf(session.agent), checkpoint);
    revived.goOn();
    if (this.#options.locks) holdConversation(revived, session, this.#options.locks);
    return revived;
  }

  create(params: Params<"session.create">): string {
    const adapter = this.#options.programs.adapterOf(params.agent);
    const directory = realDirectory(params.directory, this.#options.roots ?? []);
    const mode = params.mode ?? "default";
    checkTools(params.tools, adapter);
    this.checkLaunch(adapter, { directory, mode, model: params.model });
    const { agent: _, directory: __, ...rest } = params;
    const seed = this.#seed(adapter, { projectID: "global", title: "", mode, ...defined(rest), directory });
    return this.#begin(adapter, seed, adapter.init(seed));
  }

  /** A new session that begins as a copy of another, up to the last message of `history`. */
  fork(session: Session, history: readonly MessageWithParts[], id?: string): string {
    const adapter = this.#options.programs.adapterOf(session.agent);
    if (!adapter.fork) throw new GatewayError("not_supported", `${adapter.name} sessions cannot be forked`);
    const { directory, projectID, title, mode, model, permission } = session;
    const seed = this.#seed(adapter, { directory, projectID, title, mode, ...defined({ model, permission, id }) });
    const { state } = this.open(session.id);
    const begun = refuse(() => adapter.fork?.(state, seed, history));
    return this.#begin(adapter, seed, begun as Step<unknown>, { state, history });
  }

  /** A launch that cannot work is refused before anything is accepted. */
  checkLaunch(adapter: AnyAdapter, session: Launchable): void {
    this.#spawnSpec(adapter, session, {});
  }

  async remove(sessionID: string): Promise<void> {
    this.attachments.drop(sessionID);
    await this.#live.get(sessionID)?.close();
    this.#live.delete(sessionID);
  }

  /** Leaves every agent to the gateway that comes next. */
  leave(): void {
    this.attachments.close();
    for (const [sessionID, live] of this.#live) {
      live.leave();
      this.#options.locks?.release(sessionID);
    }
    this.#options.store.flush();
  }

  /** Ends every agent; what was open is closed and stored. */
  async close(): Promise<void> {
    this.attachments.close();
    await Promise.all(this.all().map((live) => live.close()));
    await this.#options.host.close();
    this.#options.store.flush();
  }

  #seed(
    adapter: AnyAdapter,
    fields: Omit<SessionSeed, "at" | "sessionID" | "idSeed" | "agent"> & { id?: string },
  ): SessionSeed {
    const at = this.now();
    const body = idSeed(at, randomBytes(3).toString("hex"));
    const { id, ...rest } = fields;
    const sessionID = id ?? `ses_${body}`;
    if (this.#options.store.session(sessionID)) {
      throw new GatewayError("conflict", `the session ${sessionID} exists already`, { field: "id" });
    }
    return { ...rest, at, sessionID, idSeed: body, agent: adapter.id };
  }

  #begin(adapter: AnyAdapter, seed: SessionSeed, { state, outputs }: Step<unknown>, forkedFrom?: ForkedFrom): string {
    const { store, tap } = this.#options;
    const start = { state, epoch: 0, seq: 0 };
    store.write({ sessionID: seed.sessionID, events: outputs.flatMap(wireEvents), checkpoint: start });
    store.flush();
    this.#start(seed.sessionID, adapter, start, tap?.(seed, forkedFrom));
    return seed.sessionID;
  }

  #start(sessionID: string, adapter: AnyAdapter, start: Checkpoint, tap?: SessionTap): LiveSession {
    const { store, host, log, locks, stalledMs = DEFAULT_STALLED_MS } = this.#options;
    const spawnSpec = (options: SpawnOptions) => {
      const spec = this.#spawnSpec(adapter, this.record(sessionID), options);
      if (options.resume !== undefined && !options.fork) locks?.acquire(adapter.id, options.resume, sessionID);
      return spec;
    };
    const onExit = () => locks?.release(sessionID);
    const idleMs = adapter.capabilities.includes("resume") ? this.#options.idleMs : undefined;
    const live = new LiveSession(
      { adapter, store, host, log, now: this.now, stalledMs, idleMs, spawnSpec, tap, onExit },
      sessionID,
      start,
    );
    this.#live.set(sessionID, live);
    if (locks) {
      live.onWire(({ type, properties }) => {
        if (type === "session.updated") holdConversation(live, properties.info, locks);
      });
    }
    return live;
  }

  #spawnSpec(adapter: AnyAdapter, session: Launchable, spawn: SpawnOptions): SpawnSpec {
    const program = this.#options.programs.require(adapter.id);
    const { directory, mode, model } = session;
    const env = this.#options.env ?? process.env;
    const uid = process.getuid?.();
    const spec = refuse(() => adapter.launch({ directory, mode, env, spawn, ...defined({ model, uid }) }));
    return {
      ...spec,
      command: program.command,
      commandArgs: program.args,
      directory,
      channel: adapter.channel,
      maxLineBytes: this.#options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES,
    };
  }

  #createAttachments(): Attachments {
    const { store, log, programs, env = process.env, roots = [] } = this.#options;
    const checkDirectory = (directory: string) => {
      if (roots.length > 0) realDirectory(directory, roots);
    };
    return new Attachments({
      store,
      log,
      env,
      home: homedir(),
      adapterOf: (agent) => programs.adapterOf(agent),
      checkDirectory,
    });
  }

  /** Sessions that were at work when an earlier gateway ended, and those whose agents outlived it. */
  #goOnWithUnfinished(): void {
    const { store, host } = this.#options;
    // One that runs in a terminal goes on there.
    const unfinished = store.unfinished().filter((session) => session.metadata?.attached !== true);
    const ids = [...unfinished.map(({ id }) => id), ...host.survivors.map(({ owner }) => owner)];
    for (const id of new Set(ids)) this.#goOn(id);
    store.flush();
    for (const key of host.survivors) this.#endUnknown(key);
  }

  #goOn(sessionID: string): void {
    const { store, programs, log } = this.#options;
    const agent = store.session(sessionID)?.agent;
    if (agent === undefined || !store.checkpoint(sessionID)) return;
    if (programs.knows(agent)) this.open(sessionID);
    // Declared once, and not any more: it is closed when it is declared again.
    else log.warn({ sessionID, agent }, "a session of an agent that is not declared was left open");
  }

  /** The agent of a session that was deleted, or an earlier one of its session. Nobody attached to it. */
  #endUnknown(key: ProcessKey): void {
    const { host } = this.#options;
    const stray = host.attach(key, "text", 0, { onEvent: () => {} });
    stray?.stop("kill");
    if (stray) host.acknowledge(key, Number.MAX_SAFE_INTEGER);
  }
}

/**
 * A new session and a fork learn their agent's id of the conversation only when the agent runs, and an agent may go over
 * to another one. A process whose conversation is in use is ended at once: it may not write another line of it.
 */
function holdConversation(live: LiveSession, session: Session, locks: NativeLocks): void {
  if (session.id !== live.sessionID || !live.running) return;
  const nativeID = nativeIDOf(session);
  if (nativeID === undefined) return;
  try {
    locks.acquire(session.agent, nativeID, live.sessionID);
  } catch (error) {
    live.kill(GatewayError.from(error).message);
  }
}

function wireEvents(output: Output) {
  return output.kind === "wire" ? [output.event] : [];
}

/** What an adapter refuses is a wrong parameter of the request. */
function refuse<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof LaunchRefused) throw new GatewayError("invalid_params", error.message, { field: error.field });
    throw error;
  }
}
