import type { Command } from "../../adapters/index.js";
import type {
  Capability,
  MessageWithParts,
  Params,
  PendingBlock,
  ResolvedBlock,
  Result,
  Session,
  SessionDiagnostics,
} from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import type { Store } from "../store/store.js";
import type { AgentPrograms } from "./agent-programs.js";
import type { AgentTotals } from "./agent-totals.js";
import { checkArchive, checkCapability, checkPrompt, checkReply } from "./check-request.js";
import { defined } from "./defined.js";
import { describeAgents } from "./describe-agents.js";
import { diagnose } from "./diagnose.js";
import type { LiveSession } from "./live-session.js";
import { readyFiles } from "./prompt-files.js";
import { readBlob } from "./read-blob.js";
import type { RequestHandler, SessionMethod } from "./request-handler.js";
import { SessionRegistry, type SessionRegistryOptions } from "./session-registry.js";
import { SessionSettings } from "./session-settings.js";
import { whenEvent } from "./when-event.js";

const DEFAULT_LIST_LIMIT = 100;
/** A fork copies a whole conversation. */
const ALL_MESSAGES = 1_000_000;

export type GatewayOptions = SessionRegistryOptions;

type Handlers = { readonly [M in SessionMethod]: (params: Params<M>) => Promise<Result<M>> | Result<M> };
type ReplyParams = Params<"block.reply">;
type Accepted = Result<"session.prompt">;
type TurnCommand = Extract<Command, { type: "prompt" | "compact" | "review" }>;

/** Answers every request that is about a session. */
export class Gateway implements RequestHandler {
  readonly #store: Store;
  readonly #programs: AgentPrograms;
  readonly #sessions: SessionRegistry;
  readonly #handlers: Handlers;
  readonly #roots: readonly string[];
  #closing = false;

  constructor(options: GatewayOptions) {
    this.#store = options.store;
    this.#programs = options.programs;
    this.#sessions = new SessionRegistry(options);
    this.#roots = options.roots ?? [];
    this.#handlers = this.#table();
  }

  async handle<M extends SessionMethod>(method: M, params: Params<M>): Promise<Result<M>> {
    // Whoever calls may be hearing of a step: the next one begins after it.
    await null;
    if (this.#closing) throw new GatewayError("shutting_down", "the gateway is shutting down");
    return this.#handlers[method](params);
  }

  /** What these sessions did last could not be stored: they go back to what is. */
  storeFailed(sessionIDs: readonly string[]): void {
    for (const sessionID of sessionIDs) this.#sessions.get(sessionID)?.revert();
  }

  /** Decides a block for a client, a rule or a sibling's decision. The first reply wins. */
  reply(params: ReplyParams, decidedBy: "user" | "rule" | "cascade"): ResolvedBlock {
    const { live, pending } = this.#findBlock(params.blockID);
    checkReply(params, pending.block, this.#programs.adapterOf(this.#sessions.record(pending.sessionID).agent));
    const { blockID, ...reply } = params;
    live.command({ type: "reply", blockID, decidedBy, ...defined(reply) });
    const resolved = live.blocks.resolved(params.blockID);
    if (!resolved) throw new GatewayError("internal", `the block ${params.blockID} could not be decided`);
    return resolved;
  }

  /** The tools that wait right now: in a session and its subagents, or in all. */
  pendingBlocks(sessionID?: string): PendingBlock[] {
    if (sessionID === undefined) return this.#sessions.all().flatMap((live) => live.blocks.pending());
    const family = new Set(this.#family(sessionID));
    const live = this.#sessions.get(this.#store.rootOf(sessionID) ?? "");
    return (live?.blocks.pending() ?? []).filter((pending) => family.has(pending.sessionID));
  }

  live(sessionID: string): LiveSession | undefined {
    return this.#sessions.get(sessionID);
  }

  liveSessions(): LiveSession[] {
    return this.#sessions.all();
  }

  /**
   * Deletes a root session that nobody has used since then (milliseconds since the epoch), as `session.delete` does. False
   * where it has been used after all, or its agent runs: that may be at work for itself.
   */
  async expire(sessionID: string, since: number): Promise<boolean> {
    if (this.#closing || this.#sessions.get(sessionID)?.running) return false;
    if (this.#store.unused({ since, sessionID, limit: 1 }).length === 0) return false;
    await this.#sessions.remove(sessionID);
    return true;
  }

  /** Whether sessions of an agent can be at work here. */
  knowsAgent(agent: string): boolean {
    return this.#programs.knows(agent);
  }

  /** What came of each agent since the gateway started. */
  get totals(): ReadonlyMap<string, AgentTotals> {
    return this.#sessions.totals;
  }

  /** Leaves every agent as it is to the gateway that comes next. */
  leave(): void {
    this.#closing = true;
    this.#sessions.leave();
  }

  /** Ends every agent; what was open is closed and stored. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#sessions.close();
  }

  #table(): Handlers {
    const store = this.#store;
    const sessions = this.#sessions;
    const settings = new SessionSettings(sessions, this.#programs);
    const record = (sessionID: string) => ({ session: sessions.record(sessionID) });
    return {
      "agent.list": () => describeAgents(this.#programs),
      "session.create": (params) => record(sessions.create(params)),
      "session.get": ({ sessionID }) => record(sessionID),
      "session.list": ({ limit = DEFAULT_LIST_LIMIT, archived = false, ...query }) => ({
        sessions: store.sessions({ ...defined(query), archived, limit }),
      }),
      "session.children": ({ sessionID }) => ({ sessions: store.children(sessions.record(sessionID).id) }),
      "session.messages": (params) => this.#messages(params),
      "session.diagnostics": ({ sessionID }) => ({ diagnostics: this.#diagnose(sessionID) }),
      "session.update": (params) => this.#update(params),
      "session.delete": ({ sessionID }) => this.#delete(sessionID),
      "session.abort": (params) => this.#abort(params),
      "session.prompt": (params) => this.#prompt(params),
      "session.compact": ({ sessionID, ...rest }) => {
        return this.#task(sessionID, "compact", { type: "compact", ...defined(rest) });
      },
      "session.review": ({ sessionID, target, ...rest }) => {
        return this.#task(sessionID, "review", { type: "review", target, ...defined(rest) });
      },
      "session.fork": (params) => record(this.#fork(params)),
      "session.resume": ({ sessionID }) => this.#resume(sessionID),
      "session.attach": async (params) => ({ session: await sessions.attachments.attach(params) }),
      "session.setMode": (params) => settings.setMode(params),
      "session.setModel": (params) => settings.setModel(params),
      "session.setOption": (params) => settings.setOption(params),
      "block.list": ({ sessionID }) => {
        if (sessionID !== undefined) sessions.record(sessionID);
        return { blocks: this.pendingBlocks(sessionID) };
      },
      "block.reply": (params) => ({ block: this.reply(params, "user") }),
      "todo.get": ({ sessionID }) => ({ todos: store.todos(sessions.record(sessionID).id) }),
      "blob.get": (params) => readBlob(store, params),
    };
  }

  #change(sessionID: string, command: Parameters<LiveSession["command"]>[0]): Result<"session.update"> {
    this.#sessions.open(sessionID).command(command);
    return { session: this.#sessions.record(sessionID) };
  }

  #messages({ sessionID, limit = DEFAULT_LIST_LIMIT, before }: Params<"session.messages">): Result<"session.messages"> {
    this.#sessions.record(sessionID);
    const messages = this.#store.messages(sessionID, { limit, ...defined({ before }) });
    return { messages, cursor: this.#store.cursor };
  }

  #diagnose(sessionID: string): SessionDiagnostics {
    const root = this.#sessions.record(this.#store.rootOf(sessionID) ?? sessionID);
    const live = this.#sessions.get(root.id);
    return diagnose(root, live, live ? undefined : this.#store.checkpoint(root.id));
  }

  async #delete(sessionID: string): Promise<Result<"session.delete">> {
    this.#sessions.record(sessionID);
    if (this.#store.rootOf(sessionID) === sessionID) await this.#sessions.remove(sessionID);
    else this.#store.deleteSession(sessionID);
    return {};
  }

  async #abort({ sessionID, keepQueue }: Params<"session.abort">): Promise<Result<"session.abort">> {
    const session = this.#sessions.record(sessionID);
    const isChild = session.parentID !== undefined;
    const live = this.#sessions.open(isChild ? (this.#store.rootOf(sessionID) ?? sessionID) : sessionID);
    const command = { type: "abort" as const, ...defined({ keepQueue }), ...(isChild && { sessionID }) };
    if (session.status.type === "idle") {
      live.command(command);
      return { aborted: false };
    }
    const { happened } = whenEvent(live, ({ type, properties }) => {
      return type === "session.status" && properties.sessionID === sessionID && properties.status.type === "idle";
    });
    live.command(command);
    await happened;
    return { aborted: true };
  }

  #update({ sessionID, ...changes }: Params<"session.update">): Result<"session.update"> {
    if (changes.archived) checkArchive(this.#sessions.record(sessionID));
    return this.#change(sessionID, { type: "update", ...defined(changes) });
  }

  #prompt(params: Params<"session.prompt">): Accepted {
    const { sessionID, messageID, delivery } = params;
    const session = this.#sessions.record(sessionID);
    const adapter = this.#programs.adapterOf(session.agent);
    checkPrompt(params, session, adapter);
    const parts = readyFiles(params.parts, { adapter, store: this.#store, roots: this.#roots });
    const steer = delivery === "steer" && { steer: true };
    return this.#beginTurn(session, { type: "prompt", parts, ...defined({ messageID }), ...steer });
  }

  #task(sessionID: string, capability: Capability, command: TurnCommand): Accepted {
    const session = this.#sessions.record(sessionID);
    checkCapability(capability, this.#programs.adapterOf(session.agent));
    return this.#beginTurn(session, command);
  }

  /** Hands over what begins a turn, or waits for one, and returns the user message that stands for it. */
  #beginTurn(session: Session, command: TurnCommand): Accepted {
    const { messageID } = command;
    const live = this.#sessions.open(session.id);
    if (messageID !== undefined && this.#hasMessage(session.id, messageID)) {
      return { messageID, queued: session.queue.includes(messageID) };
    }
    if (!live.running) this.#sessions.checkLaunch(this.#programs.adapterOf(session.agent), session);
    if (session.time.archived !== undefined) live.command({ type: "update", archived: false });
    let accepted = messageID;
    const stop = live.onWire((event) => {
      if (event.type === "message.updated" && event.properties.info.role === "user")
        accepted ??= event.properties.info.id;
    });
    try {
      live.command(command);
    } finally {
      stop();
    }
    if (accepted === undefined) throw new GatewayError("internal", "the prompt was not accepted");
    return { messageID: accepted, queued: this.#sessions.record(session.id).queue.includes(accepted) };
  }

  #fork({ sessionID, messageID, id }: Params<"session.fork">): string {
    const session = this.#sessions.record(sessionID);
    if (session.status.type !== "idle") {
      throw new GatewayError("busy", `the session ${sessionID} runs a turn`, {
        hint: "fork it when the turn has ended",
      });
    }
    if (session.time.archived !== undefined) {
      throw new GatewayError("conflict", `the session ${sessionID} is archived`, {
        hint: "bring it back with session.update",
      });
    }
    return this.#sessions.fork(session, this.#historyUpTo(sessionID, messageID), id);
  }

  /** Up to an answer, or up to what came before a prompt: an agent's conversation can only be cut behind an answer. */
  #historyUpTo(sessionID: string, messageID: string | undefined): MessageWithParts[] {
    const messages = this.#store.messages(sessionID, { limit: ALL_MESSAGES });
    if (messageID === undefined) return messages;
    const last = messages.findIndex(({ info }) => info.id === messageID);
    if (last < 0) throw new GatewayError("not_found", `there is no message ${messageID}`, { field: "messageID" });
    return messages.slice(0, messages[last]?.info.role === "assistant" ? last + 1 : last);
  }

  #resume(sessionID: string): Result<"session.resume"> {
    const session = this.#sessions.record(sessionID);
    this.#sessions.checkLaunch(this.#programs.adapterOf(session.agent), session);
    return this.#change(sessionID, { type: "start" });
  }

  /** A prompt that is sent again after a lost answer is the same prompt. */
  #hasMessage(sessionID: string, messageID: string): boolean {
    const message = this.#store.message(messageID);
    if (!message) return false;
    if (message.sessionID === sessionID && message.role === "user") return true;
    throw new GatewayError("conflict", `the message ${messageID} exists already`, { field: "messageID" });
  }

  #findBlock(blockID: string): { live: LiveSession; pending: PendingBlock } {
    for (const live of this.#sessions.all()) {
      const pending = live.blocks.find(blockID);
      if (pending) return { live, pending };
      const resolved = live.blocks.resolved(blockID);
      if (resolved)
        throw new GatewayError("conflict", `the block ${blockID} was decided already by ${resolved.decidedBy}`);
    }
    if (this.#store.hasBlock(blockID)) throw new GatewayError("conflict", `the block ${blockID} was decided already`);
    throw new GatewayError("not_found", `there is no block ${blockID}`, { field: "blockID" });
  }

  #family(sessionID: string): string[] {
    return [sessionID, ...this.#store.children(sessionID).flatMap((child) => this.#family(child.id))];
  }
}
