import type { Logger } from "pino";
import type {
  EventEnvelope,
  Params,
  PendingBlock,
  PermissionBlock,
  PermissionRule,
  Session,
  ToolPart,
} from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import type { Store } from "../store/store.js";
import { evaluate, type Verdict } from "./evaluate.js";

/** What policy may do: see what waits and decide it, as a client does. */
export interface BlockDesk {
  /** In a session and its subagents, or in all. */
  pendingBlocks(sessionID?: string): PendingBlock[];
  reply(params: Params<"block.reply">, decidedBy: "rule" | "cascade"): unknown;
}

export interface PolicyOptions {
  readonly store: Store;
  readonly desk: BlockDesk;
  readonly log: Logger;
  /** Rules of the project's configuration; a session's own come after them. */
  readonly rules?: readonly PermissionRule[];
}

/**
 * Watches events and sends commands: rules decide blocks they cover, also those that wait already because an earlier gateway
 * was killed, and a person's rejection takes the session's other blocks with it. Returns the way to stop it.
 */
export function startPolicy(options: PolicyOptions): () => void {
  let stopped = false;
  queueMicrotask(() => {
    if (!stopped) applyRules(options);
  });
  const unsubscribe = options.store.subscribe((group) => {
    // Events are heard in the middle of a step; a command begins the next.
    queueMicrotask(() => {
      if (!stopped) for (const { event } of group) onEvent(options, event);
    });
  });
  return () => {
    stopped = true;
    unsubscribe();
  };
}

function onEvent(options: PolicyOptions, event: EventEnvelope["event"]): void {
  if (event.type === "session.updated" && event.properties.info.permission) {
    return applyRules(options, event.properties.sessionID);
  }
  if (event.type !== "message.part.updated" || event.properties.part.type !== "tool") return;
  const { part } = event.properties;
  if (part.state.status === "blocked") applyRules(options, part.sessionID);
  else if (isRejectedByUser(part)) cascade(options, part.sessionID);
}

/** Decides what rules cover: in a session and its subagents' sessions, or in all. */
function applyRules(options: PolicyOptions, sessionID?: string): void {
  for (const { block, sessionID: owner } of options.desk.pendingBlocks(sessionID)) {
    if (block.type !== "permission") continue;
    const verdict = verdictOn(options, owner, block);
    // Where the agent offers several ways to allow, a rule does not say which: a person chooses.
    const canAllow = block.decisions?.includes("once") !== false;
    if (verdict === "allow" && canAllow) decide(options, { blockID: block.id, decision: "once" }, "rule");
    if (verdict === "deny") decide(options, { blockID: block.id, decision: "reject", message: DENIED }, "rule");
  }
}

const DENIED = "A permission rule denies this tool call";

/** A subagent's session adds to the rules of its parents, and takes back nothing that they deny. */
function verdictOn({ store, rules = [] }: PolicyOptions, sessionID: string, block: PermissionBlock): Verdict {
  const lineage = lineageOf(store, sessionID);
  const directory = lineage.at(-1)?.directory ?? "/";
  let known = [...rules];
  let verdict: Verdict = "ask";
  for (const { permission = [] } of lineage) {
    known = [...known, ...permission];
    verdict = evaluate(known, block, directory);
    if (verdict === "deny") return "deny";
  }
  return verdict;
}

/** A session and those above it, the root first. */
function lineageOf(store: Store, sessionID: string): Session[] {
  const session = store.session(sessionID);
  if (!session) return [];
  return session.parentID === undefined ? [session] : [...lineageOf(store, session.parentID), session];
}

function cascade(options: PolicyOptions, sessionID: string): void {
  for (const { block, sessionID: owner } of options.desk.pendingBlocks(sessionID)) {
    if (block.type === "permission" && owner === sessionID) {
      decide(options, { blockID: block.id, decision: "reject", message: "Rejected with another tool call" }, "cascade");
    }
  }
}

/** Somebody else may have been first; that is no error. */
function decide(options: PolicyOptions, params: Params<"block.reply">, decidedBy: "rule" | "cascade"): void {
  try {
    options.desk.reply(params, decidedBy);
  } catch (error) {
    const { kind, message } = GatewayError.from(error);
    if (kind !== "conflict" && kind !== "not_found")
      options.log.error({ blockID: params.blockID, message }, "policy could not decide");
  }
}

function isRejectedByUser(part: ToolPart): boolean {
  const { state } = part;
  return (
    state.status === "error" &&
    state.block?.type === "permission" &&
    state.block.decision === "reject" &&
    state.block.decidedBy === "user"
  );
}
