import { isRecord } from "../shared/is-record.js";
import { relativePath } from "../shared/relative-path.js";
import { shownPath } from "./files.js";
import type { NativePartOf, NativeToolState } from "./frame.js";

/** The agent's names that are others on the wire. All its own are canonical already. */
const CANONICAL: Readonly<Record<string, string>> = {
  multiedit: "edit",
  patch: "edit",
  apply_patch: "edit",
  codesearch: "websearch",
  todoread: "todowrite",
};

/** What stands in for a tool that does not exist, or whose input cannot be read. */
const NO_TOOL = "invalid";
const TITLE_LENGTH = 80;

/** The field of a tool's input that says what it works on. */
const SUBJECTS = ["command", "filePath", "pattern", "url", "query", "description", "name", "path"];

/** What a tool call is on the wire. */
export interface ToolView {
  readonly tool: string;
  readonly title: string;
  readonly native: Record<string, unknown>;
}

export function viewTool(part: NativePartOf<"tool">, directory: string, mcpNames: readonly string[]): ToolView {
  const tool = canonicalName(part.tool, mcpNames);
  return {
    tool,
    title: titleOf(tool, part, directory),
    native: { tool: part.tool, callID: part.callID, partID: part.id },
  };
}

/** A tool of a server is named for the server: its name with all but letters, digits and `-` made `_`, then the tool's. */
function canonicalName(name: string, mcpNames: readonly string[]): string {
  const isServers = mcpNames.some((server) => name.startsWith(`${server.replace(/[^a-zA-Z0-9_-]/g, "_")}_`));
  return isServers ? "mcp" : (CANONICAL[name] ?? name);
}

/** The server's own title, which it finds while the tool runs; until then the name and what it works on. */
function titleOf(tool: string, { tool: name, state }: NativePartOf<"tool">, directory: string): string {
  if (name === NO_TOOL && typeof state.input.tool === "string") return state.input.tool;
  if (state.title) return shownPath(state.title, directory);
  const subject = SUBJECTS.map((field) => state.input[field]).find((value) => typeof value === "string");
  const shown = tool === "mcp" ? name : tool;
  return typeof subject === "string" ? `${shown} ${oneLine(relativePath(subject, directory))}` : shown;
}

function oneLine(value: string): string {
  const line = value.replace(/\s+/g, " ").trim();
  return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1)}…` : line;
}

/** How a call that came to its end ended. */
export interface ToolEnd {
  /** Why it is a failure, although the server calls some of these completed. */
  readonly error?: string;
  readonly output: string;
}

/** A call of a tool that does not exist, or with an input that is no JSON, is a call of `invalid` that went well. */
export function endOfTool({ tool, state }: NativePartOf<"tool">): ToolEnd {
  const output = state.output ?? "";
  if (state.status === "error") return { error: state.error || "The tool failed", output };
  if (tool === NO_TOOL) return { error: String(state.input.error ?? output), output };
  return tool === "bash" ? endOfCommand(state, output) : { output };
}

/** A command that was ended with its turn has no exit code, which is not the same as not to tell one. */
function endOfCommand({ metadata }: NativeToolState, output: string): ToolEnd {
  const exit = isRecord(metadata) ? metadata.exit : undefined;
  if (exit === undefined || exit === 0) return { output };
  const reason = exit === null ? "The command was ended" : `The command failed with exit code ${String(exit)}`;
  return { error: output.trim() === "" || output.trim() === "(no output)" ? reason : output, output };
}
