import { isRecord } from "../shared/is-record.js";
import { oneLine } from "../shared/one-line.js";
import { relativePath } from "../shared/relative-path.js";
import { at } from "./content.js";
import type { NameSource, Profile } from "./profile.js";
import type { Call } from "./state.js";

/** Agents' names of the same tool, in lower case and without signs between the words. */
const NAMES: Readonly<Record<string, string>> = {
  bash: "bash",
  shell: "bash",
  terminal: "bash",
  powershell: "bash",
  execcommand: "bash",
  runshellcommand: "bash",
  runcommand: "bash",
  executecommand: "bash",
  read: "read",
  readfile: "read",
  readmanyfiles: "read",
  view: "read",
  write: "write",
  writefile: "write",
  create: "write",
  createfile: "write",
  edit: "edit",
  editfile: "edit",
  multiedit: "edit",
  replace: "edit",
  strreplace: "edit",
  strreplaceeditor: "edit",
  applypatch: "edit",
  patch: "edit",
  grep: "grep",
  grepsearch: "grep",
  searchfilecontent: "grep",
  ripgrep: "grep",
  glob: "glob",
  findfiles: "glob",
  list: "list",
  ls: "list",
  listdirectory: "list",
  webfetch: "webfetch",
  fetch: "webfetch",
  fetchurl: "webfetch",
  websearch: "websearch",
  googlewebsearch: "websearch",
  task: "task",
  agent: "task",
  subagent: "task",
  spawnagent: "task",
  todowrite: "todowrite",
  writetodos: "todowrite",
  todolist: "todowrite",
  settodolist: "todowrite",
  updateplan: "todowrite",
  question: "question",
  askuser: "question",
  askuserquestion: "question",
  requestuserinput: "question",
  exitplanmode: "plan",
  planexit: "plan",
  skill: "skill",
  activateskill: "skill",
};

/** What the protocol's kinds of tools are, where the agent tells no name. */
const KINDS: Readonly<Record<string, string>> = {
  read: "read",
  edit: "edit",
  delete: "edit",
  move: "edit",
  search: "grep",
  execute: "bash",
  fetch: "webfetch",
  think: "think",
  switch_mode: "plan",
};

const MCP_NAME = /^mcp__(.+?)__(.+)$/;
const WORD = /^[A-Za-z]\w*$/;
const FILE_TOOLS = new Set(["read", "write", "edit", "list"]);

/** Agents' names of the same field. */
const FIELDS: Readonly<Record<string, string>> = {
  file_path: "filePath",
  filepath: "filePath",
  absolute_path: "filePath",
  fileName: "filePath",
  path: "filePath",
  old_string: "oldString",
  old_str: "oldString",
  oldText: "oldString",
  new_string: "newString",
  new_str: "newString",
  newText: "newString",
  file_text: "content",
};

/** The field that says what is accessed. */
const SUBJECTS: Readonly<Record<string, string>> = {
  bash: "command",
  read: "filePath",
  write: "filePath",
  edit: "filePath",
  list: "filePath",
  grep: "pattern",
  glob: "pattern",
  webfetch: "url",
  websearch: "query",
  task: "description",
  skill: "skill",
};

type Seen = Omit<Call, "callID" | "diffs" | "terminal">;

/** The agent's own name of a tool, where it tells one. */
export function nativeName(nativeID: string, call: Partial<Seen>, { tools }: Profile): string | null {
  for (const source of tools.names) {
    const name = nameIn(source, nativeID, call);
    if (name !== undefined) return name;
  }
  return null;
}

function nameIn(source: NameSource, nativeID: string, call: Partial<Seen>): string | undefined {
  if ("id" in source) return source.id.exec(nativeID)?.[1];
  const name = at({ ...call, _meta: call.meta }, source.field);
  if (typeof name !== "string" || name === "") return undefined;
  // A title is a name only where it is one word: else it tells what is done.
  return source.field !== "title" || WORD.test(name) ? name : undefined;
}

/** The canonical name of a tool: by the agent's name of it, else by the protocol's kind. Chosen when the call is first seen. */
export function toolOf(call: Pick<Call, "name" | "kind" | "diffs">, profile: Profile): string {
  const { name, kind } = call;
  const named = name === null ? undefined : NAMES[name.toLowerCase().replace(/[^a-z0-9]/g, "")];
  const byKind = KINDS[kind ?? ""];
  // Some run a command to look at files, and say so by the kind alone.
  if (named === "bash" && (kind === "read" || kind === "search")) return byKind ?? named;
  if (named !== undefined) return named;
  if (mcpName(name, profile)) return "mcp";
  if (byKind === "edit" && name === null && makesFile(call.diffs)) return "write";
  return byKind ?? name ?? "other";
}

function mcpName(name: string | null, { tools }: Profile): RegExpExecArray | null {
  return (tools.mcp ?? MCP_NAME).exec(name ?? "");
}

function makesFile(diffs: readonly unknown[]): boolean {
  return diffs.length > 0 && diffs.every((diff) => isRecord(diff) && (diff.oldText == null || diff.oldText === ""));
}

export interface ToolView {
  readonly input: Record<string, unknown>;
  readonly title: string;
  readonly permission: string;
  /** What is accessed. */
  readonly patterns: string[];
}

/** What a person reads of a call, as it is known by now. */
export function viewOf(call: Call, tool: string, directory: string, profile: Profile): ToolView {
  const permission = tool === "write" ? "edit" : tool;
  const mcp = tool === "mcp" ? mcpName(call.name, profile) : null;
  const input = inputOf(call, tool, profile);
  if (mcp) return { input, title: `${mcp[1]}: ${mcp[2]}`, permission, patterns: [`${mcp[1]}/${mcp[2]}`] };
  const paths = FILE_TOOLS.has(tool) ? pathsOf(call) : [];
  const subject = input[SUBJECTS[tool] ?? ""];
  const subjects = typeof subject === "string" && subject !== "" ? [subject] : [];
  const accessed = [...new Set([...subjects, ...paths])].map((path) =>
    FILE_TOOLS.has(tool) ? relativePath(path, directory) : path,
  );
  const about = accessed.length > 0 ? accessed.join(", ") : titleBeside(call);
  const patterns = accessed.length > 0 ? accessed : [titleBeside(call) || "*"];
  return { input, title: oneLine(`${tool} ${about}`), permission, patterns };
}

/** The agent's title, where it says more than the tool's name. */
function titleBeside({ title = "", name }: Call): string {
  return title === name ? "" : title;
}

function pathsOf({ locations = [], diffs }: Call): string[] {
  return [...diffs, ...locations].flatMap((place) =>
    isRecord(place) && typeof place.path === "string" ? [place.path] : [],
  );
}

function inputOf(call: Call, tool: string, { tools }: Profile): Record<string, unknown> {
  const raw = rawInputOf(call);
  const input = FILE_TOOLS.has(tool) ? renamed(raw) : { ...raw };
  const [path] = pathsOf(call);
  if (FILE_TOOLS.has(tool) && input.filePath === undefined && path !== undefined) input.filePath = path;
  if (
    tool === "bash" &&
    input.command === undefined &&
    tools.titleIsCommand &&
    call.title &&
    call.title !== call.name
  ) {
    input.command = call.title;
  }
  return input;
}

/** Before the agent tells the input, what has streamed of it may be whole. */
function rawInputOf({ rawInput, raw }: Call): Record<string, unknown> {
  const input = isRecord(rawInput) || raw === undefined ? rawInput : parsed(raw);
  return isRecord(input) ? input : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Of two names of the same field the first one counts. */
function renamed(raw: Record<string, unknown>): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(raw)) input[FIELDS[field] ?? field] ??= value;
  return input;
}

export function isKnown(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  if (Array.isArray(value)) return value.length > 0;
  return !isRecord(value) || Object.keys(value).length > 0;
}
