import { isRecord } from "../../shared/is-record.js";
import { camelCase } from "../camel-case.js";
import type { ThreadItem } from "../frame.js";
import type { EventOf } from "./line.js";

type Fields = Record<string, unknown>;

/** Items of a rollout as the app-server sends them: it writes names another way to disk than to its stream. */
export function itemOf(item: EventOf<"item_completed">["item"]): ThreadItem | undefined {
  const convert = isKnownItem(item.type) ? CONVERTERS[item.type] : undefined;
  return convert && ({ ...convert(renamed(item)), id: item.id } as ThreadItem);
}

export function isKnownItem(type: string): boolean {
  return Object.hasOwn(CONVERTERS, type);
}

const CONVERTERS: Readonly<Record<string, (fields: Fields) => Fields>> = {
  UserMessage: (fields) => ({ ...fields, type: "userMessage", content: list(fields.content).map(inputOf) }),
  AgentMessage: (fields) => ({ ...fields, type: "agentMessage", text: textIn(fields.content) }),
  Plan: (fields) => ({ ...fields, type: "plan" }),
  Reasoning: (fields) => ({
    ...fields,
    type: "reasoning",
    summary: fields.summaryText ?? [],
    content: fields.rawContent ?? [],
  }),
  CommandExecution: (fields) => ({ ...fields, type: "commandExecution", ...commandOf(fields) }),
  FileChange: (fields) => ({ ...fields, type: "fileChange", changes: changesIn(fields.changes) }),
  McpToolCall: (fields) => ({ ...fields, type: "mcpToolCall" }),
  DynamicToolCall: (fields) => ({ ...fields, type: "dynamicToolCall" }),
  WebSearch: (fields) => ({ ...fields, type: "webSearch", action: withCamelType(fields.action) }),
  ImageView: (fields) => ({ ...fields, type: "imageView", path: plainPath(fields.path) }),
  ImageGeneration: (fields) => ({ ...fields, type: "imageGeneration" }),
  CollabAgentToolCall: (fields) => ({
    ...fields,
    type: "collabAgentToolCall",
    tool: camelCase(String(fields.tool)),
    agentsStates: statesOf(fields.agentsStates),
  }),
  SubAgentActivity: (fields) => ({ ...fields, type: "subAgentActivity" }),
  ContextCompaction: (fields) => ({ ...fields, type: "contextCompaction" }),
  EnteredReviewMode: (fields) => ({ ...fields, type: "enteredReviewMode" }),
  ExitedReviewMode: (fields) => ({ ...fields, type: "exitedReviewMode" }),
  // A tool that is built on what the CLI offers for it: `clock.sleep`.
  Extension: (fields) => ({ ...fields, type: String(fields.kind).split(".").at(-1) ?? "" }),
};

function renamed(item: Fields): Fields {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [camelCase(name), value]));
}

function list(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function inputOf(input: Fields): Fields {
  const type = camelCase(String(input.type));
  return type === "image" ? { ...input, type, url: input.image_url ?? input.url } : { ...input, type };
}

function textIn(content: unknown): string {
  return list(content)
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .join("");
}

function commandOf({ command, cwd, parsedCmd }: Fields): Fields {
  return {
    command: Array.isArray(command) ? command.map(quoted).join(" ") : command,
    cwd: plainPath(cwd),
    commandActions: list(parsedCmd).map(withCamelType),
  };
}

const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/** The stream has one text in which a shell finds its words again. */
function quoted(word: unknown): string {
  const plain = String(word);
  return PLAIN_WORD.test(plain) ? plain : `'${plain.replaceAll("'", `'\\''`)}'`;
}

function plainPath(path: unknown): unknown {
  return typeof path === "string" && path.startsWith("file://")
    ? decodeURIComponent(path.slice("file://".length))
    : path;
}

function withCamelType(value: unknown): unknown {
  return isRecord(value) && typeof value.type === "string" ? { ...value, type: camelCase(value.type) } : value;
}

/** In any order in a rollout, by path on the stream. */
export function changesIn(changes: unknown): Fields[] {
  const byPath = Object.entries(isRecord(changes) ? changes : {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return byPath.map(([path, change]) => {
    const { type, content, unified_diff: diff, move_path: movePath } = isRecord(change) ? change : {};
    return {
      path,
      kind: { type: String(type), ...(movePath != null && { move_path: movePath }) },
      diff: String(diff ?? content ?? ""),
    };
  });
}

/** `{"completed": "the report"}` in a rollout, `{"status": "completed", "message": "the report"}` on the stream. */
function statesOf(states: unknown): Fields {
  const entries = Object.entries(isRecord(states) ? states : {});
  return Object.fromEntries(
    entries.map(([thread, state]) => {
      if (!isRecord(state)) return [thread, { status: state, message: null }];
      const [status, message] = Object.entries(state)[0] ?? [];
      return [thread, { status, message }];
    }),
  );
}
