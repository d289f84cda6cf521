import { z } from "zod";
import { isRecord } from "../shared/is-record.js";
import { oneLine } from "../shared/one-line.js";
import { relativePath } from "../shared/relative-path.js";
import type { ThreadItem as AnyItem, FileUpdateChange } from "./frame.js";
import type { ThreadItem } from "./native-types.js";
import { reads } from "./reads.js";
import { splitWords, unwrapCommand } from "./shell-command.js";

const text = z.string();
const record = z.record(text, z.unknown());

type Items = { [Type in ThreadItem["type"]]: Extract<ThreadItem, { type: Type }> };

const ITEMS = reads<Items>()({
  commandExecution: z.looseObject({
    command: text,
    cwd: text.nullish(),
    commandActions: z.array(z.looseObject({ type: text })).nullish(),
  }),
  fileChange: z.looseObject({
    changes: z.array(
      z.looseObject({ path: text, kind: z.looseObject({ type: text, move_path: text.nullish() }), diff: text }),
    ),
  }),
  mcpToolCall: z.looseObject({ server: text, tool: text, arguments: z.unknown().optional() }),
  dynamicToolCall: z.looseObject({ tool: text, namespace: text.nullish(), arguments: z.unknown().optional() }),
  webSearch: z.looseObject({ query: text.nullish(), action: record.nullish() }),
  imageView: z.looseObject({ path: text }),
  collabAgentToolCall: z.looseObject({
    tool: text,
    prompt: text.nullish(),
    receiverThreadIds: z.array(text).nullish(),
  }),
});

/** What an item is on the wire. */
export interface ToolView {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly title: string;
  /** The app-server's own words, kept in `metadata.native`. */
  readonly native: Record<string, unknown>;
}

type Viewer = (item: AnyItem, directory: string) => ToolView | undefined;

const VIEWERS: Readonly<Record<string, Viewer>> = {
  commandExecution: viewCommand,
  fileChange: viewFileChange,
  mcpToolCall: viewMcp,
  dynamicToolCall: viewDynamic,
  webSearch: viewSearch,
  imageView: viewImage,
  collabAgentToolCall: viewCollab,
  sleep: (item) => viewOther(item, { durationMs: item.durationMs }),
  imageGeneration: (item) => viewOther(item, {}),
};

/** The tool call that an item is; undefined for one that is none, or of a kind that is not known. */
export function viewTool(item: AnyItem, directory: string): ToolView | undefined {
  return VIEWERS[item.type]?.(item, directory);
}

function viewCommand(item: AnyItem, directory: string): ToolView | undefined {
  const { data } = ITEMS.commandExecution.safeParse(item);
  if (!data) return undefined;
  const actions = (data.commandActions ?? []).map(({ type }) => type).filter((type) => type !== "unknown");
  return {
    ...commandView(data.command, data.cwd ?? directory, directory),
    native: { tool: item.type, itemID: item.id, ...(actions.length > 0 && { actions }) },
  };
}

export function commandView(command: string, cwd: string, directory: string) {
  const plain = unwrapCommand(command);
  return {
    tool: "bash",
    input: { command: plain, ...(cwd !== directory && { workdir: cwd }) },
    title: `bash ${oneLine(plain)}`,
  };
}

/** Input to a command that runs. The app-server numbers its terminals at random: that says nothing to anybody. */
export function stdinView(command: string) {
  const [name, , , input] = splitWords(command) ?? [];
  const stdin = name === "write_stdin" && input !== undefined ? input : command;
  return { tool: "bash", input: { stdin }, title: `bash stdin ${oneLine(stdin)}`.trim() };
}

export function changesOf(item: AnyItem): FileUpdateChange[] {
  return ITEMS.fileChange.safeParse(item).data?.changes ?? [];
}

/** A patch that only makes files is `write`, any other one `edit`: the kind is known before it is applied. */
function viewFileChange(item: AnyItem, directory: string): ToolView {
  const changes = changesOf(item);
  const files = changes.map(({ path, kind }) => ({ path: relativePath(path, directory), type: kind.type }));
  const tool = changes.length > 0 && changes.every(({ kind }) => kind.type === "add") ? "write" : "edit";
  return {
    tool,
    input: { ...(changes.length === 1 && { filePath: changes[0]?.path }), files },
    title: `${tool} ${oneLine(files.map(({ path }) => path).join(", "))}`,
    native: { tool: item.type, itemID: item.id },
  };
}

function viewMcp(item: AnyItem): ToolView | undefined {
  const { data } = ITEMS.mcpToolCall.safeParse(item);
  if (!data) return undefined;
  const { server, tool: name } = data;
  return {
    tool: "mcp",
    input: isRecord(data.arguments) ? data.arguments : {},
    title: `${server}: ${name}`,
    native: { tool: item.type, itemID: item.id, server, name },
  };
}

function viewDynamic(item: AnyItem): ToolView | undefined {
  const { data } = ITEMS.dynamicToolCall.safeParse(item);
  return data && clientToolView(item.id, data);
}

interface DynamicCall {
  readonly tool: string;
  readonly namespace?: string | null | undefined;
  readonly arguments?: unknown;
}

export function clientToolView(itemID: string, call: DynamicCall): ToolView {
  const { tool: name, namespace } = call;
  const input = isRecord(call.arguments) ? call.arguments : {};
  const native = { tool: "dynamicToolCall", itemID, name, ...(namespace && { namespace }) };
  return { tool: "client", input, title: name, native };
}

function viewSearch(item: AnyItem): ToolView {
  const { query, action } = ITEMS.webSearch.safeParse(item).data ?? {};
  const input = { ...(query && { query }), ...(action && { action }) };
  return {
    tool: "websearch",
    input,
    title: `websearch ${oneLine(query ?? "")}`.trim(),
    native: { tool: item.type, itemID: item.id },
  };
}

/** The model looks at a picture: that is a read. */
function viewImage(item: AnyItem, directory: string): ToolView | undefined {
  const { data } = ITEMS.imageView.safeParse(item);
  if (!data) return undefined;
  const title = `read ${relativePath(data.path, directory)}`;
  return { tool: "read", input: { filePath: data.path }, title, native: { tool: item.type, itemID: item.id } };
}

function viewCollab(item: AnyItem): ToolView | undefined {
  const { data } = ITEMS.collabAgentToolCall.safeParse(item);
  if (!data) return undefined;
  const spawns = data.tool === "spawnAgent";
  const receivers = data.receiverThreadIds ?? [];
  return {
    tool: spawns ? "task" : data.tool,
    input: { ...(data.prompt && { prompt: data.prompt }), ...(receivers.length > 0 && { threads: receivers }) },
    title: spawns ? `task ${oneLine(data.prompt ?? "")}`.trim() : data.tool,
    native: { tool: data.tool, itemID: item.id },
  };
}

function viewOther(item: AnyItem, input: Record<string, unknown>): ToolView {
  return { tool: item.type, input, title: item.type, native: { tool: item.type, itemID: item.id } };
}
