import { camelCase } from "../camel-case.js";
import type { ThreadItem } from "../frame.js";
import type { ExecItem, ExecItemOf } from "./line.js";

/** An item as the app-server sends it; undefined for one that is no part of the conversation. */
export function itemOf(item: ExecItem): ThreadItem | undefined {
  switch (item.type) {
    case "agent_message":
      return { id: item.id, type: "agentMessage", text: item.text };
    case "reasoning":
      return { id: item.id, type: "reasoning", summary: [item.text], content: [] };
    case "command_execution":
      return commandOf(item);
    case "file_change":
      return changeOf(item);
    case "mcp_tool_call":
      return mcpOf(item);
    case "collab_tool_call":
      return collabOf(item);
    case "web_search":
      return { id: item.id, type: "webSearch", query: item.query, action: item.action };
    case "todo_list":
    case "error":
      return undefined;
  }
}

function commandOf(item: ExecItemOf<"command_execution">): ThreadItem {
  const { id, command, aggregated_output: aggregatedOutput, exit_code: exitCode, status } = item;
  return { id, type: "commandExecution", command, aggregatedOutput, exitCode, status };
}

/** What was changed in a file is not told here. */
function changeOf({ id, changes, status }: ExecItemOf<"file_change">): ThreadItem {
  const listed = changes.map(({ path, kind }) => ({ path, kind: { type: kind }, diff: "" }));
  return { id, type: "fileChange", changes: listed, status };
}

function mcpOf(item: ExecItemOf<"mcp_tool_call">): ThreadItem {
  const { id, server, tool, arguments: args, result, error, status } = item;
  const ended = result && { ...result, structuredContent: result.structured_content };
  return { id, type: "mcpToolCall", server, tool, arguments: args, result: ended, error, status };
}

/** What the subagents themselves say is not told here. */
function collabOf(item: ExecItemOf<"collab_tool_call">): ThreadItem {
  const { id, tool, prompt, receiver_thread_ids: receiverThreadIds, agents_states: agentsStates, status } = item;
  return { id, type: "collabAgentToolCall", tool: camelCase(tool), prompt, receiverThreadIds, agentsStates, status };
}
