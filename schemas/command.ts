import { z } from "zod";
import { Block, Decision, ResolvedBlock } from "./block.js";
import { Cursor, EventEnvelope } from "./event.js";
import { FilePartSource } from "./file-part.js";
import { BlockID, MessageID, PartID, SessionID } from "./ids.js";
import { Message } from "./message.js";
import { Part } from "./part.js";
import { Mode, PermissionRule, Session, Todo } from "./session.js";

const text = z.string().min(1);
const limit = z.number().int().min(1).max(1000).optional();
const nothing = z.strictObject({});
const ofSession = z.strictObject({ sessionID: SessionID });
const metadata = z.record(z.string(), z.unknown());

/** The same things as on the wire, but in a request: an unknown field is a mistake there. */
const Rule = PermissionRule.strict();
const [fileSource, symbolSource, resourceSource] = FilePartSource.options;
const source = z.discriminatedUnion("type", [fileSource.strict(), symbolSource.strict(), resourceSource.strict()]);

/** A part of a prompt, as the client sends it; the gateway adds the ids that are left out. */
export const PromptPart = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), id: PartID.optional(), text, synthetic: z.boolean().optional() }),
  z.strictObject({
    type: z.literal("file"),
    id: PartID.optional(),
    mime: text,
    filename: z.string().optional(),
    url: text,
    source: source.optional(),
  }),
  z.strictObject({ type: z.literal("agent"), id: PartID.optional(), name: text }),
]);
export type PromptPart = z.infer<typeof PromptPart>;

/** A server of tools for the agent: a program that speaks MCP on stdin and stdout, or a URL. */
export const McpServer = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("stdio"),
    command: text,
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
  }),
  z.strictObject({ type: z.enum(["http", "sse"]), url: text, headers: z.record(z.string(), z.string()).optional() }),
]);
export type McpServer = z.infer<typeof McpServer>;

/** What an agent is to review. */
export const ReviewTarget = z.discriminatedUnion("type", [
  /** Staged, unstaged and untracked files. */
  z.strictObject({ type: z.literal("uncommittedChanges") }),
  z.strictObject({ type: z.literal("baseBranch"), branch: text }),
  z.strictObject({ type: z.literal("commit"), sha: text, title: z.string().optional() }),
  z.strictObject({ type: z.literal("custom"), instructions: text }),
]);
export type ReviewTarget = z.infer<typeof ReviewTarget>;
/** The name that agents know the session's own client by, where tools come from servers. */
export const CLIENT_SERVER = "agentwire";

const ServerName = z
  .string()
  .regex(
    new RegExp(`^(?!${CLIENT_SERVER}$)[A-Za-z0-9_-]{1,64}$`),
    `must be 1 to 64 letters, digits, "_" or "-", and not "${CLIENT_SERVER}"`,
  );

const MAX_SCHEMA_LENGTH = 65_536;

/**
 * A tool that the client carries out itself. The agent's call of it is a tool part that waits with a block of the type
 * `call`. `readOnly`: it changes nothing, so an agent may call it several times at once.
 */
export const ClientTool = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,48}$/, 'must be 1 to 48 letters, digits, "_" or "-"'),
  description: text.max(2048),
  inputSchema: z
    .looseObject({ type: z.literal("object") })
    .refine(
      (schema) => JSON.stringify(schema).length <= MAX_SCHEMA_LENGTH,
      `must be at most ${MAX_SCHEMA_LENGTH} characters of JSON`,
    ),
  readOnly: z.boolean().optional(),
});
export type ClientTool = z.infer<typeof ClientTool>;

const MAX_CLIENT_TOOLS = 128;

const ClientTools = z
  .array(ClientTool)
  .max(MAX_CLIENT_TOOLS)
  .superRefine((tools, context) => {
    for (const [i, { name }] of tools.entries()) {
      const first = tools.findIndex((tool) => tool.name === name);
      if (first === i) continue;
      const message = `must be another name than that of tools[${first}]`;
      context.addIssue({ code: "custom", path: [i, "name"], message });
    }
  });

/** What a client adds to the output of a tool that it serves. */
export const CallAttachment = z.strictObject({
  type: z.literal("file"),
  mime: text,
  filename: z.string().optional(),
  url: text,
});
export type CallAttachment = z.infer<typeof CallAttachment>;

/** What to do with a prompt while a turn runs: wait for its end, hand it to the running turn, or refuse it (`busy`). */
export const Delivery = z.enum(["queue", "steer", "reject"]);
export type Delivery = z.infer<typeof Delivery>;

export const Capability = z.enum([
  "streaming",
  "reasoning",
  "permissions",
  "always",
  "questions",
  "subagents",
  "todos",
  "images",
  "abort",
  "steer",
  "resume",
  "fork",
  "compaction",
  "compact",
  "review",
  "mcp",
  "client-tools",
  "usage",
  "cost",
]);
export type Capability = z.infer<typeof Capability>;

export const AgentInfo = z.object({
  id: z.string(),
  name: z.string(),
  capabilities: z.array(Capability),
  /** The version of the agent's CLI that the adapter's golden traces were recorded from. */
  testedVersion: z.string(),
  /** The agent's program on this machine; absent when it was not found. */
  path: z.string().optional(),
  version: z.string().optional(),
  modes: z.array(
    z.object({ mode: Mode, fidelity: z.enum(["exact", "approximate", "unsupported"]), native: z.string() }),
  ),
});
export type AgentInfo = z.infer<typeof AgentInfo>;

export const MessageWithParts = z.object({ info: Message, parts: z.array(Part) });
export type MessageWithParts = z.infer<typeof MessageWithParts>;

/** A tool that waits, with its place in the conversation. */
export const PendingBlock = z.object({
  sessionID: SessionID,
  messageID: MessageID,
  partID: PartID,
  callID: z.string(),
  tool: z.string(),
  block: Block,
});
export type PendingBlock = z.infer<typeof PendingBlock>;

const session = z.object({ session: Session });
const accepted = z.object({ messageID: MessageID, queued: z.boolean() });

/** Every request a client may send: what it takes and what it answers. Requests are strict: an unknown field is refused. */
export const METHODS = {
  initialize: {
    summary: "Open the connection: agree on the protocol version and name the client.",
    params: z.strictObject({
      protocolVersion: z.string().optional(),
      client: z.strictObject({ name: text, version: z.string().optional() }).optional(),
    }),
    result: z.object({
      protocolVersion: z.string(),
      server: z.object({ name: z.string(), version: z.string() }),
      methods: z.array(z.string()),
    }),
  },
  "agent.list": {
    summary: "List the agents this gateway has an adapter for, and whether their program was found.",
    params: nothing,
    result: z.object({ agents: z.array(AgentInfo) }),
  },
  "session.create": {
    summary: "Create a session of an agent in a directory. The agent's program starts with the first prompt.",
    params: z.strictObject({
      id: SessionID.optional(),
      agent: text,
      directory: text,
      title: z.string().optional(),
      projectID: z.string().optional(),
      model: text.optional(),
      mode: Mode.optional(),
      permission: z.array(Rule).optional(),
      mcpServers: z.record(ServerName, McpServer).optional(),
      tools: ClientTools.optional(),
      metadata: metadata.optional(),
    }),
    result: session,
  },
  "session.get": { summary: "Read one session.", params: ofSession, result: session },
  "session.list": {
    summary: "List root sessions, the newest first; `archived` lists the archived ones, too.",
    params: z.strictObject({
      directory: text.optional(),
      agent: text.optional(),
      archived: z.boolean().optional(),
      limit,
      before: SessionID.optional(),
    }),
    result: z.object({ sessions: z.array(Session) }),
  },
  "session.children": {
    summary: "List the sessions of a session's subagents, the oldest first.",
    params: ofSession,
    result: z.object({ sessions: z.array(Session) }),
  },
  "session.messages": {
    summary: "Read a session's messages with their parts, the oldest first; `limit` takes the newest ones.",
    params: z.strictObject({ sessionID: SessionID, limit, before: MessageID.optional() }),
    result: z.object({ messages: z.array(MessageWithParts), cursor: Cursor }),
  },
  "session.update": {
    summary:
      "Change a session's title, permission rules or metadata, or archive it. What is left out stays. The next prompt brings an archived session back.",
    params: z.strictObject({
      sessionID: SessionID,
      title: z.string().optional(),
      permission: z.array(Rule).optional(),
      metadata: metadata.optional(),
      archived: z.boolean().optional(),
    }),
    result: session,
  },
  "session.delete": {
    summary: "End a session's agent and delete the session with its children and messages.",
    params: ofSession,
    result: z.object({}),
  },
  "session.abort": {
    summary: "End the running turn and drop its waiting prompts; answers when the turn has ended.",
    params: z.strictObject({ sessionID: SessionID, keepQueue: z.boolean().optional() }),
    result: z.object({ aborted: z.boolean() }),
  },
  "session.prompt": {
    summary: "Send a prompt. Answers when it is stored; the turn goes on without the client.",
    params: z.strictObject({
      sessionID: SessionID,
      messageID: MessageID.optional(),
      parts: z.array(PromptPart).min(1),
      delivery: Delivery.optional(),
    }),
    result: accepted,
  },
  "session.compact": {
    summary:
      "Have the agent shorten its conversation. It is a turn of its own, with a user message; it waits for a running turn like a prompt.",
    params: z.strictObject({ sessionID: SessionID, messageID: MessageID.optional() }),
    result: accepted,
  },
  "session.review": {
    summary: "Have the agent review changes. It is a turn of its own, with a user message, like session.compact.",
    params: z.strictObject({ sessionID: SessionID, messageID: MessageID.optional(), target: ReviewTarget }),
    result: accepted,
  },
  "session.fork": {
    summary:
      "Copy a session into a new one: the whole, up to an assistant message, or up to what came before a user message.",
    params: z.strictObject({
      sessionID: SessionID,
      messageID: MessageID.optional(),
      id: SessionID.optional().describe(
        "The new session's, chosen by the client: a fork that is asked for again after a lost answer is a conflict.",
      ),
    }),
    result: session,
  },
  "session.resume": { summary: "Start a session's agent again with its history.", params: ofSession, result: session },
  "session.attach": {
    summary:
      "Show a session that runs in a terminal, by the agent's own id of it, the file of its transcript, or as the last one of a directory. It can only be read until it has ended there.",
    params: z.strictObject({
      agent: text,
      nativeID: text.optional(),
      path: text.optional(),
      directory: text.optional(),
    }),
    result: session,
  },
  "session.setMode": {
    summary: "Change the permission mode; a running agent confirms it or refuses.",
    params: z.strictObject({ sessionID: SessionID, mode: Mode }),
    result: session,
  },
  "session.setModel": {
    summary: "Change the model; a running agent confirms it or refuses.",
    params: z.strictObject({ sessionID: SessionID, model: text }),
    result: session,
  },
  "session.setOption": {
    summary: "Change an option of the agent.",
    params: z.strictObject({ sessionID: SessionID, option: text, value: z.unknown() }),
    result: session,
  },
  "block.list": {
    summary:
      "List the tools that wait for a decision, an answer or their client, in a session and its children or in all sessions.",
    params: z.strictObject({ sessionID: SessionID.optional() }),
    result: z.object({ blocks: z.array(PendingBlock) }),
  },
  "block.reply": {
    summary:
      "Decide a waiting tool. A permission takes `decision` or the `optionID` of one of its options, a question `answers` or the decision `reject`, a call `output` (and `attachments`) or `error`. The first reply wins.",
    params: z.strictObject({
      blockID: BlockID,
      decision: Decision.optional(),
      optionID: text.optional(),
      answers: z.array(z.array(z.string())).optional(),
      output: z.string().optional(),
      error: text.optional(),
      attachments: z.array(CallAttachment).optional(),
      message: z.string().optional(),
      interrupt: z.boolean().optional(),
    }),
    result: z.object({ block: ResolvedBlock }),
  },
  "todo.get": {
    summary: "Read a session's todo list.",
    params: ofSession,
    result: z.object({ todos: z.array(Todo) }),
  },
  "blob.get": {
    summary:
      "Read what a part keeps apart because it is large, by the `ref` of its `blobs`. With `offset` or `length` (bytes) a piece of it, as base64.",
    params: z.strictObject({
      ref: text,
      offset: z.number().int().nonnegative().optional(),
      length: z.number().int().positive().optional(),
    }),
    result: z.object({
      data: z.string(),
      encoding: z.enum(["utf8", "base64"]),
      mime: z.string(),
      /** The size of the whole. */
      bytes: z.number().int().nonnegative(),
    }),
  },
  "events.subscribe": {
    summary:
      "Receive events as `events` notifications: all, or those of a session and its children. With `after`, first what changed since.",
    params: z.strictObject({ sessionID: SessionID.optional(), after: Cursor.optional() }),
    result: z.object({ subscriptionID: z.string(), cursor: Cursor, gap: z.boolean() }),
  },
  "events.unsubscribe": {
    summary: "End a subscription.",
    params: z.strictObject({ subscriptionID: text }),
    result: z.object({}),
  },
} as const satisfies Record<string, { summary: string; params: z.ZodType; result: z.ZodType }>;

export type Method = keyof typeof METHODS;
export type Params<M extends Method> = z.infer<(typeof METHODS)[M]["params"]>;
export type Result<M extends Method> = z.infer<(typeof METHODS)[M]["result"]>;

/** Events of one subscription, in order. */
export const EventBatch = z.object({
  events: z.array(EventEnvelope),
  /**
   * The client was too slow: what follows is what changed meanwhile, the rows as they stand. No row is lost, but events that
   * no row keeps (`file.edited`) may be.
   */
  overflow: z.boolean().optional(),
});
export type EventBatch = z.infer<typeof EventBatch>;

/** What the gateway sends unasked over a connection. */
export const EventsNotification = z.object({ subscriptionID: z.string(), ...EventBatch.shape });
export type EventsNotification = z.infer<typeof EventsNotification>;

/** The last message of a stream of server-sent events that the gateway ends: why, as a WebSocket close code. */
export const StreamClosed = z.object({ code: z.number().int(), reason: z.string() });
export type StreamClosed = z.infer<typeof StreamClosed>;
