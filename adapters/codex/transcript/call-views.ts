import { isRecord } from "../../shared/is-record.js";
import { oneLine } from "../../shared/one-line.js";
import { camelCase } from "../camel-case.js";
import { commandView, type ToolView, viewTool } from "../tools.js";
import { permissionsView, questionsView } from "./asked.js";
import type { NativeCall } from "./state.js";

type Input = Record<string, unknown>;

const SERVER = /^mcp__(.+)$/;
/** The older subagents; of the newer ones only a wait becomes an item of the call. */
const AGENTS = "multi_agent_v1";

/** How the item of a call will look; undefined for a call that may have none, which is shown when its result is there. */
export function viewOfCall(call: NativeCall, itemID: string, directory: string): ToolView | undefined {
  const input = jsonOf(call.input);
  const server = SERVER.exec(call.namespace ?? "")?.[1];
  if (server !== undefined) return mcpView(server, call.name, itemID, input ?? {});
  if (call.namespace === AGENTS) return agentView(call.name, itemID, input ?? {}, directory);
  switch (call.name) {
    case "apply_patch":
      return patchView(call.input, itemID, directory);
    case "exec_command":
      return execView(input ?? {}, itemID, directory);
    case "request_user_input":
      return questionsView(input, itemID);
    case "request_permissions":
      return permissionsView(input, itemID, directory);
    default:
      return undefined;
  }
}

function mcpView(server: string, name: string, itemID: string, input: Input): ToolView {
  return {
    tool: "mcp",
    input,
    title: `${server}: ${name}`,
    native: { tool: "mcpToolCall", itemID, server, name },
  };
}

function agentView(name: string, id: string, { message, target, targets }: Input, directory: string) {
  const receiverThreadIds = Array.isArray(targets) ? targets : typeof target === "string" ? [target] : [];
  const tool = name === "wait_agent" ? "wait" : camelCase(name);
  return viewTool({ type: "collabAgentToolCall", id, tool, prompt: message, receiverThreadIds }, directory);
}

/** A patch that goes through the shell becomes the item of a patch. */
function execView({ cmd, workdir }: Input, itemID: string, directory: string): ToolView | undefined {
  if (typeof cmd !== "string" || cmd.includes("apply_patch")) return undefined;
  const cwd = typeof workdir === "string" ? workdir : directory;
  return { ...commandView(cmd, cwd, directory), native: { tool: "commandExecution", itemID } };
}

const PATCHED = /^\*\*\* (Add|Update|Delete) File: (.*)$/gm;

function patchView(patch: string, itemID: string, directory: string): ToolView {
  const files = [...patch.matchAll(PATCHED)].map(([, kind = "", path = ""]) => ({ path, type: kind.toLowerCase() }));
  const tool = files.length > 0 && files.every(({ type }) => type === "add") ? "write" : "edit";
  const [first] = files;
  return {
    tool,
    input: { ...(files.length === 1 && first && { filePath: absolute(first.path, directory) }), files },
    title: `${tool} ${oneLine(files.map(({ path }) => path).join(", "))}`,
    native: { tool: "fileChange", itemID },
  };
}

function absolute(path: string, directory: string): string {
  return path.startsWith("/") ? path : `${directory}/${path}`;
}

export function jsonOf(text: string): Input | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
