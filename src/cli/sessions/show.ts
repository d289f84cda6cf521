import { z } from "zod";
import {
  type AssistantMessage,
  addTokens,
  type MessageWithParts,
  NO_TOKENS,
  type PendingBlock,
  type Session,
  type SessionDiagnostics,
  type Todo,
  type Tokens,
} from "../../../schemas/index.js";
import type { Client } from "../../client/index.js";
import { nativeIDOf } from "../../transcripts/stored-session.js";
import { findSession } from "../find-session.js";
import { GATEWAY_FLAGS, GATEWAY_SHAPE } from "../gateway-options.js";
import { parseOptions } from "../parse-options.js";
import { withGateway } from "../reach-gateway.js";
import { showDiagnostics } from "../show-diagnostics.js";
import { subjectOf } from "../terminal/describe-block.js";
import { formatAge } from "../terminal/format-age.js";
import { safeText } from "../terminal/safe-text.js";
import { UsageError } from "../usage-error.js";
import { writeOut } from "../write-out.js";
import { statusOf } from "./describe-session.js";

const FLAGS = { ...GATEWAY_FLAGS, json: { type: "boolean" } } as const;
const Options = z.object({ ...GATEWAY_SHAPE, json: z.boolean().default(false) });

const PAGE = 200;
const TODO_MARKS = { pending: "☐", in_progress: "▸", completed: "✓", cancelled: "✗" } as const;

/** What models were used for, and what it cost in US dollars where that is told. */
interface Usage {
  readonly tokens: Tokens;
  readonly cost: number;
}

/** All that is known of a session beside what was said. */
interface SessionRecord {
  readonly session: Session;
  readonly blocks: readonly PendingBlock[];
  readonly todos: readonly Todo[];
  readonly children: readonly Session[];
  readonly usage: Usage;
  readonly diagnostics: SessionDiagnostics;
}

export async function action(args: readonly string[]): Promise<number> {
  const { options, positionals } = parseOptions(args, FLAGS, Options);
  const [name, ...others] = positionals;
  if (name === undefined || others.length > 0) throw new UsageError("name one session");
  const record = await withGateway(options, async (client) => readRecord(client, await findSession(client, name)));
  await writeOut(options.json ? `${JSON.stringify(record)}\n` : `${safeText(linesOf(record).join("\n"))}\n`);
  return 0;
}

async function readRecord(client: Client, session: Session): Promise<SessionRecord> {
  const ofSession = { sessionID: session.id };
  const { blocks } = await client.call("block.list", ofSession);
  const { todos } = await client.call("todo.get", ofSession);
  const { sessions: children } = await client.call("session.children", ofSession);
  const { diagnostics } = await client.call("session.diagnostics", ofSession);
  return { session, blocks, todos, children, usage: await readUsage(client, session.id), diagnostics };
}

/** Of the session's own messages: its subagents have records of their own. */
async function readUsage(client: Client, sessionID: string): Promise<Usage> {
  let usage: Usage = { tokens: NO_TOKENS, cost: 0 };
  let before: string | undefined;
  for (;;) {
    const page = { sessionID, limit: PAGE, ...(before !== undefined && { before }) };
    const { messages } = await client.call("session.messages", page);
    usage = messages.flatMap(responseOf).reduce(addUsage, usage);
    if (messages.length < PAGE) return usage;
    before = messages[0]?.info.id;
  }
}

function responseOf({ info }: MessageWithParts): AssistantMessage[] {
  return info.role === "assistant" ? [info] : [];
}

function addUsage({ tokens, cost }: Usage, message: AssistantMessage): Usage {
  return { tokens: addTokens(tokens, message.tokens), cost: cost + message.cost };
}

function linesOf({ session, blocks, todos, children, usage, diagnostics }: SessionRecord): string[] {
  const { id, title, agent, model, mode, pending, directory, time, queue, error, parentID } = session;
  const next = [pending?.mode, pending?.model].filter((change) => change !== undefined);
  return [
    `${id}${title === "" ? "" : `  ${title}`}`,
    ...field("agent", agent),
    ...field("model", model),
    ...field("mode", next.length > 0 ? `${mode} (asked for: ${next.join(", ")})` : mode),
    ...field("status", statusOf(session, blocks)),
    ...field("directory", directory),
    ...field("created", `${new Date(time.created).toISOString()} (${formatAge(Date.now() - time.created)} ago)`),
    ...field("updated", `${new Date(time.updated).toISOString()} (${formatAge(Date.now() - time.updated)} ago)`),
    ...field("native id", nativeIDOf(session)),
    ...field("parent", parentID),
    ...field("tokens", describeTokens(usage.tokens)),
    ...field("cost", usage.cost > 0 ? `$${usage.cost.toFixed(4)}` : undefined),
    ...field("error", error && `${error.name}: ${error.message}`),
    ...list("queue", queue),
    ...list(
      "todos",
      todos.map(({ status, content }) => `${TODO_MARKS[status]} ${content}`),
    ),
    ...list(
      "subagents",
      children.map((child) => `${child.id} ${statusOf(child, [])} ${child.title}`.trimEnd()),
    ),
    ...list(
      "waiting",
      blocks.map(({ block, tool }) => `${block.id} ${tool} — ${subjectOf(block)}`),
    ),
    ...list("diagnostics", showDiagnostics(diagnostics, Date.now())),
  ];
}

function field(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`  ${name.padEnd(10)} ${value}`];
}

function list(name: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`  ${name}`, ...items.map((item) => `    ${item}`)];
}

function describeTokens({ input, output, reasoning, cache }: Tokens): string {
  return `${input} in, ${output} out, ${reasoning} reasoning, ${cache.read} read from and ${cache.write} written to the cache`;
}
