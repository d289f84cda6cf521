import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { type AnyAdapter, LaunchRefused, type SessionSeed } from "../../adapters/index.js";
import {
  idSeed,
  type Params,
  type PendingBlock,
  type ResolvedBlock,
  type Result,
  type Session,
} from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import type { AgentHost, SpawnSpec } from "../process/agent-host.js";
import type { Checkpoint, Store } from "../store/store.js";
import { type AgentPrograms, adapterOf } from "./agent-programs.js";
import { checkPrompt, checkReply } from "./check-request.js";
import { describeAgents } from "./describe-agents.js";
import { LiveSession, type SessionTap } from "./live-session.js";
import { realDirectory } from "./real-directory.js";
import type { RequestHandler, SessionMethod } from "./request-handler.js";

const DEFAULT_MAX_LINE_BYTES = 64 * 1024 * 1024;
const DEFAULT_STALLED_MS = 5 * 60 * 1000;
const DEFAULT_LIST_LIMIT = 100;

export interface GatewayOptions {
  readonly store: Store;
  readonly host: AgentHost;
  readonly programs: AgentPrograms;
  readonly log: Logger;
  readonly now?: () => number;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly maxLineBytes?: number;
  /** How long a busy agent may be silent before its session is marked as stalled, in milliseconds; 5 minutes. */
  readonly stalledMs?: number;
  /** Directories sessions may work in, with all below them; everywhere when empty. */
  readonly roots?: readonly string[];
  /** Hears every step of a session from its start; for recorders. */
  readonly tap?: (seed: SessionSeed) => SessionTap | undefined;
}

type Handlers = { readonly [M in SessionMethod]: (params: Params<M>) => Promise<Result<M>> | Result<M> };
type ReplyParams = Params<"block.reply">;

/** The sessions of this gateway: answers every request that is about one. */
export class Gateway implements RequestHandler {
  readonly #options: GatewayOptions;
  readonly #now: () => number;
  readonly #live = new Map<string, LiveSession>();
  readonly #handlers: Handlers;
  #closing = false;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#handlers = this.#table();
    this.#closeUnfinished();
  }

  async handle<M extends SessionMethod>(method: M, params: Params<M>): Promise<Result<M>> {
    // Whoever calls may be hearing of a step: the next one begins after it.
    await null;
    if (this.#closing) throw new GatewayError("shutting_down", "the gateway is shutting down");
    return this.#handlers[method](params);
  }

  /** What these sessions did last could not be stored: they go back to what is. */
  storeFailed(sessionIDs: readonly string[]): void {
    for (const sessionID of sessionIDs) this.#live.get(sessionID)?.revert();
  }

  /** Decides a block for a client, a rule or a sibling's decision. The first reply wins. */
  reply(params: ReplyParams, decidedBy: "user" | "rule" | "cascade"): ResolvedBlock {
    const { live, pending } = this.#findBlock(params.blockID);
    checkReply(params, pending.block);
    const { decision, answers, message, interrupt } = params;
    live.command({
      type: "reply",
      blockID: params.blockID,
      decidedBy,
      ...(decision && { decision }),
      ...(answers && { answers }),
      ...(message !== undefined && { message }),
      ...(interrupt !== undefined && { interrupt }),
    });
    const resolved = live.blocks.resolved(params.blockID);
    if (!resolved) throw new GatewayError("internal", `the block ${params.blockID} could not be decided`);
    return resolved;
  }

  /** The tools of a session (or of all) that wait right now. */
  pendingBlocks(sessionID?: string): PendingBlock[] {
    if (sessionID === undefined) return [...this.#live.values()].flatMap((live) => live.blocks.pending());
    const family = new Set(this.#family(sessionID));
    const live = this.#live.get(this.#options.store.rootOf(sessionID) ?? "");
    return (live?.blocks.pending() ?? []).filter((pending) => family.has(pending.sessionID));
  }

  live(sessionID: string): LiveSession | undefined {
    return this.#live.get(sessionID);
  }

  liveSessions(): LiveSession[] {
    return [...this.#live.values()];
  }

  /** Ends every agent; what was open is closed and stored. */
  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all([...this.#live.values()].map((live) => live.close()));
    await this.#options.host.close();
    this.#options.store.flush();
  }

  #table(): Handlers {
    const { store, programs } = this.#options;
    const unsupported = (what: string) => () => {
      throw new GatewayError("not_supported", `${what} is not supported yet`);
    };
    return {
      "agent.list": () => describeAgents(programs),
      "session.create": (params) => this.#create(params),
      "session.get": ({ sessionID }) => ({ session: this.#session(sessionID) }),
      "session.list": ({ limit = DEFAULT_LIST_LIMIT, ...query }) => ({
        sessions: store.sessions({ ...defined(query), limit }),
      }),
      "session.children": ({ sessionID }) => ({ sessions: store.children(this.#session(sessionID).id) }),
      "session.messages": (params) => this.#messages(params),
      "session.update": (params) => this.#update(params),
      "session.delete": ({ sessionID }) => this.#delete(sessionID),
      "session.abort": (params) => this.#abort(params),
      "session.prompt": (params) => this.#prompt(params),
      "session.fork": unsupported("session.fork"),
      "session.resume": unsupported("session.resume"),
      "session.setMode": unsupported("session.setMode"),
      "session.setModel": unsupported("session.setModel"),
      "session.setOption": unsupported("session.setOption"),
      "block.list": ({ sessionID }) => {
        if (sessionID !== undefined) this.#session(sessionID);
        return { blocks: this.pendingBlocks(sessionID) };
      },
      "block.reply": (params) => ({ block: this.reply(params, "user") }),
      "todo.get": ({ sessionID }) => ({ todos: store.todos(this.#session(sessionID).id) }),
      "blob.get": unsupported("blob.get"),
    };
  }

  #create(params: Params<"session.create">): Result<"session.create"> {
    const { store } = this.#options;
    const adapter = adapterOf(params.agent);
    const directory = realDirectory(params.directory, this.#options.roots ?? []);
    const at = this.#now();
    const seed = idSeed(at, randomBytes(3).toString("hex"));
    const sessionID = params.id ?? `ses_${seed}`;
    if (store.session(sessionID))
      throw new GatewayError("conflict", `the session ${sessionID} exists already`, { field: "id" });
    const mode = params.mode ?? "default";
    this.#checkLaunch(adapter, { directory, mode, ...(params.model && { model: params.model }) });
    const sessionSeed: SessionSeed = {
      at,
      sessionID,
      idSeed: seed,
      agent: adapter.id,
      directory,
      projectID: params.projectID ?? "global",
      title: params.title ?? "",
      mode,
      ...(params.model !== undefined && { model: params.model }),
      ...(params.permission && { permission: params.permission }),
      ...(params.metadata && { metadata: params.metadata }),
    };
    const { state, outputs } = adapter.init(sessionSeed);
    const events = outputs.flatMap((output) => (output.kind === "wire" ? [output.event] : []));
    const start = { state, epoch: 0, seq: 0 };
    store.write({ sessionID, events, checkpoint: start });
    store.flush();
    this.#start(sessionID, adapter, start, this.#options.tap?.(sessionSeed));
    return { session: this.#session(sessionID) };
  }

  #messages({ sessionID, limit = DEFAULT_LIST_LIMIT, before }: Params<"session.messages">): Result<"session.messages"> {
    const { store } = this.#options;
    this.#session(sessionID);
    const messages = store.messages(sessionID, { limit, ...(before !== undefined && { before }) });
    return { messages, cursor: store.cursor };
  }

  #update({ sessionID, ...changes }: Params<"session.update">): Result<"session.update"> {
    this.#open(sessionID).command({ type: "update", ...defined(changes) });
    return { session: this.#session(sessionID) };
  }

  async #delete(sessionID: string): Promise<Result<"session.delete">> {
    const { store } = this.#options;
    this.#session(sessionID);
    if (store.rootOf(sessionID) === sessionID) {
      await this.#live.get(sessionID)?.close();
      this.#live.delete(sessionID);
    }
    store.deleteSession(sessionID);
    return {};
  }

  async #abort({ sessionID, keepQueue }: Params<"session.abort">): Promise<Result<"session.abort">> {
    const session = this.#session(sessionID);
    const live = this.#open(sessionID);
    if (session.status.type === "idle") {
      live.command({ type: "abort", ...defined({ keepQueue }) });
      return { aborted: false };
    }
    const ended = new Promise<void>((resolve) => {
      const stop = live.onWire((event) => {
        if (event.type !== "session.status" || event.properties.status.type !== "idle") return;
        stop();
        resolve();
      });
    });
    live.command({ type: "abort", ...defined({ keepQueue }) });
    await ended;
    return { aborted: true };
  }

  #prompt(params: Params<"session.prompt">): Result<"session.prompt"> {
    const { sessionID, parts, messageID } = params;
    const session = this.#session(sessionID);
    const live = this.#open(sessionID);
    const adapter = adapterOf(session.agent);
    checkPrompt(params, session, adapter);
    if (messageID !== undefined && this.#hasMessage(sessionID, messageID)) {
      return { messageID, queued: session.queue.includes(messageID) };
    }
    if (!live.running) this.#checkLaunch(adapter, session);
    let accepted = messageID;
    const stop = live.onWire((event) => {
      if (event.type === "message.updated" && event.properties.info.role === "user")
        accepted ??= event.properties.info.id;
    });
    live.command({ type: "prompt", parts, ...(messageID !== undefined && { messageID }) });
    stop();
    if (accepted === undefined) throw new GatewayError("internal", "the prompt was not accepted");
    return { messageID: accepted, queued: this.#session(sessionID).queue.includes(accepted) };
  }

  /** A prompt that is sent again after a lost answer is the same prompt. */
  #hasMessage(sessionID: string, messageID: string): boolean {
    const message = this.#options.store.message(messageID);
    if (!message) return false;
    if (message.sessionID === sessionID && message.role === "user") return true;
    throw new GatewayError("conflict", `the message ${messageID} exists already`, { field: "messageID" });
  }

  #findBlock(blockID: string): { live: LiveSession; pending: PendingBlock } {
    for (const live of this.#live.values()) {
      const pending = live.blocks.find(blockID);
      if (pending) return { live, pending };
      const resolved = live.blocks.resolved(blockID);
      if (resolved)
        throw new GatewayError("conflict", `the block ${blockID} was decided already by ${resolved.decidedBy}`);
    }
    if (this.#options.store.hasBlock(blockID))
      throw new GatewayError("conflict", `the block ${blockID} was decided already`);
    throw new GatewayError("not_found", `there is no block ${blockID}`, { field: "blockID" });
  }

  #session(sessionID: string): Session {
    const session = this.#options.store.session(sessionID);
    if (session) return session;
    throw new GatewayError("not_found", `there is no session ${sessionID}`, { field: "sessionID" });
  }

  #family(sessionID: string): string[] {
    const children = this.#options.store.children(sessionID);
    return [sessionID, ...children.flatMap((child) => this.#family(child.id))];
  }

  /** The session at work, brought back from its checkpoint where this gateway has not used it yet. */
  #open(sessionID: string): LiveSession {
    const session = this.#session(sessionID);
    if (session.parentID !== undefined) {
      throw new GatewayError("not_supported", "a subagent's session is driven by its parent", { field: "sessionID" });
    }
    const live = this.#live.get(sessionID);
    if (live) return live;
    const checkpoint = this.#options.store.checkpoint(sessionID);
    if (!checkpoint) throw new GatewayError("storage", `the session ${sessionID} has no checkpoint to go on from`);
    const restarted = this.#start(sessionID, adapterOf(session.agent), checkpoint);
    // The agent that worked on it ended with the gateway that started it, also where it only waited for a prompt.
    restarted.lose();
    return restarted;
  }

  #start(sessionID: string, adapter: AnyAdapter, start: Checkpoint, tap?: SessionTap): LiveSession {
    const { store, host, log } = this.#options;
    const spawnSpec = (resume?: string) => this.#spawnSpec(adapter, this.#session(sessionID), resume);
    const { stalledMs = DEFAULT_STALLED_MS } = this.#options;
    const deps = { adapter, store, host, log, now: this.#now, stalledMs, spawnSpec, tap };
    const live = new LiveSession(deps, sessionID, start);
    this.#live.set(sessionID, live);
    return live;
  }

  #spawnSpec(
    adapter: AnyAdapter,
    session: Pick<Session, "directory" | "mode"> & { model?: string | undefined },
    resume?: string,
  ): SpawnSpec {
    const program = this.#options.programs.require(adapter.id);
    const spec = launchOf(adapter, {
      directory: session.directory,
      mode: session.mode,
      env: this.#options.env ?? process.env,
      ...(session.model !== undefined && { model: session.model }),
      ...(resume !== undefined && { resume }),
      ...(process.getuid && { uid: process.getuid() }),
    });
    return {
      ...spec,
      command: program.command,
      commandArgs: program.args,
      directory: session.directory,
      channel: adapter.channel,
      maxLineBytes: this.#options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES,
    };
  }

  /** A launch that cannot work is refused before anything is accepted. */
  #checkLaunch(
    adapter: AnyAdapter,
    session: Pick<Session, "directory" | "mode"> & { model?: string | undefined },
  ): void {
    this.#spawnSpec(adapter, session);
  }

  /** Sessions that were at work when an earlier gateway ended: their agents are gone. */
  #closeUnfinished(): void {
    for (const session of this.#options.store.unfinished()) this.#open(session.id);
    this.#options.store.flush();
  }
}

function launchOf(adapter: AnyAdapter, options: Parameters<AnyAdapter["launch"]>[0]): ReturnType<AnyAdapter["launch"]> {
  try {
    return adapter.launch(options);
  } catch (error) {
    if (error instanceof LaunchRefused) throw new GatewayError("invalid_params", error.message, { field: error.field });
    throw error;
  }
}

/** Without the fields that are undefined. */
function defined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as never;
}
