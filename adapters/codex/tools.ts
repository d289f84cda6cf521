import { z } from "zod";
import { isRecord } from "../shared/is-record.js";
import { oneLine } from "../shared/one-line.js";
import { relativePath } from "../shared/relative-path.js";
import type { FileUpdateChange, ThreadItem } from "./frame.js";
import { unwrapCommand } from "./shell-command.js";

const text = z.string();
const record = z.record(text, z.unknown());

const CommandItem = z.looseObject({
  command: text,
  cwd: text.nullish(),
  commandActions: z.array(z.looseObject({ type: text })).nullish(),
});
const FileItem = z.looseObject({
  changes: z.array(
    z.looseObject({ path: text, kind: z.looseObject({ type: text, move_path: text.nullish() }), diff: text }),
  ),
});
const McpItem = z.looseObject({ server: text, tool: text, arguments: z.unknown().optional() });
const DynamicItem = z.looseObject({ tool: text, namespace: text.nullish(), arguments: z.unknown().optional() });
const SearchItem = z.looseObject({ query: text.nullish(), action: record.nullish() });
const ImageItem = z.looseObject({ path: text });
const CollabItem = z.looseObject({ tool: text, prompt: text.nullish(), receiverThreadIds: z.array(text).nullish() });

/** What an item is on the wire. */
export interface ToolView {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly title: string;
  /** The app-server's own words, kept in `metadata.native`. */
  readonly native: Record<string, unknown>;
}

type Viewer = (item: ThreadItem, directory: string) => ToolView | undefined;

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
export function viewTool(item: ThreadItem, directory: string): ToolView | undefined {
  return VIEWERS[item.type]?.(item, directory);
}

function viewCommand(item: ThreadItem, directory: string): ToolView | undefined {
  const { data } = CommandItem.safeParse(item);
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

export function changesOf(item: ThreadItem): FileUpdateChange[] {
  return FileItem.safeParse(item).data?.changes ?? [];
}

/** A patch that only makes files is `write`, any other one `edit`: the kind is known before it is applied. */
function viewFileChange(item: ThreadItem, directory: string): ToolView {
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

function viewMcp(item: ThreadItem): ToolView | undefined {
  const { data } = McpItem.safeParse(item);
  if (!data) return undefined;
  const { server, tool: name } = data;
  return {
    tool: "mcp",
    input: isRecord(data.arguments) ? data.arguments : {},
    title: `${server}: ${name}`,
    native: { tool: item.type, itemID: item.id, server, name },
  };
}

function viewDynamic(item: ThreadItem): ToolView | undefined {
  const { data } = DynamicItem.safeParse(item);
  if (!data) return undefined;
  const input = isRecord(data.arguments) ? data.arguments : {};
  const native = { tool: item.type, itemID: item.id, ...(data.namespace && { namespace: data.namespace }) };
  return { tool: data.tool, input, title: data.tool, native };
}

function viewSearch(item: ThreadItem): ToolView {
  const { query, action } = SearchItem.safeParse(item).data ?? {};
  const input = { ...(query && { query }), ...(action && { action }) };
  return {
    tool: "websearch",
    input,
    title: `websearch ${oneLine(query ?? "")}`.trim(),
    native: { tool: item.type, itemID: item.id },
  };
}

/** The model looks at a picture: that is a read. */
function viewImage(item: ThreadItem, directory: string): ToolView | undefined {
  const { data } = ImageItem.safeParse(item);
  if (!data) return undefined;
  const title = `read ${relativePath(data.path, directory)}`;
  return { tool: "read", input: { filePath: data.path }, title, native: { tool: item.type, itemID: item.id } };
}

function viewCollab(item: ThreadItem): ToolView | undefined {
  const { data } = CollabItem.safeParse(item);
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

function viewOther(item: ThreadItem, input: Record<string, unknown>): ToolView {
  return { tool: item.type, input, title: item.type, native: { tool: item.type, itemID: item.id } };
}
