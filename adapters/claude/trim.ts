import { isRecord } from "../shared/is-record.js";

const CUT = "…";
const PROSE_LENGTH = 100;
/** Lists the init line and the answer to `initialize` describe commands, skills, agents and models with. */
const LISTS = [
  "tools",
  "slash_commands",
  "terminal_slash_commands",
  "agents",
  "skills",
  "plugins",
  "commands",
  "models",
  "available_output_styles",
  "mcp_servers",
  "capabilities",
];

/** A line as a golden trace keeps it: no lists of what the CLI offers, no texts of its own beyond their first words. */
export function trimFrame(raw: unknown): unknown {
  if (!isRecord(raw)) return raw;
  if (raw.type === "system") return { ...withoutLists(raw), ...cutFields(raw, ["content", "message"]) };
  if (raw.type === "control_response") return trimResponse(raw);
  if (raw.type === "control_request") return trimRequest(raw);
  if (raw.type === "assistant" && (raw.is_api_error_message || raw.error)) return cutMessage(raw);
  if (raw.type === "user" && (raw.isSynthetic || isNotExecuted(raw))) return cutMessage(raw);
  if (raw.type === "result" && raw.is_error)
    return { ...raw, ...cutFields(raw, ["result"]), errors: cutList(raw.errors) };
  return raw;
}

function withoutLists(record: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(record).map(([key, value]) => [
    key,
    LISTS.includes(key) && Array.isArray(value) ? [] : value,
  ]);
  return Object.fromEntries(kept.filter(([key]) => key !== "memory_paths" && key !== "messaging_socket_path"));
}

function trimResponse(raw: Record<string, unknown>): unknown {
  const { response } = raw;
  if (!isRecord(response) || !isRecord(response.response) || !("commands" in response.response)) return raw;
  const { claude_code_version, current_permission_mode, session_state } = response.response;
  const kept = { claude_code_version, current_permission_mode, session_state, commands: [], models: [], agents: [] };
  return { ...raw, response: { ...response, response: kept } };
}

/** The CLI tells a server of tools about itself. */
function trimRequest(raw: Record<string, unknown>): unknown {
  const { request } = raw;
  if (!isRecord(request) || !isRecord(request.message) || !isRecord(request.message.params)) return raw;
  const { clientInfo: _, ...params } = request.message.params;
  return { ...raw, request: { ...request, message: { ...request.message, params } } };
}

function isNotExecuted(raw: Record<string, unknown>): boolean {
  const meta = Array.isArray(raw.tool_result_meta) ? raw.tool_result_meta.filter(isRecord) : [];
  return meta.some((entry) => entry.non_execution_kind != null);
}

function cutMessage(raw: Record<string, unknown>): unknown {
  const message = isRecord(raw.message) ? raw.message : {};
  const content = Array.isArray(message.content) ? message.content.map(cutBlock) : cut(message.content);
  return { ...raw, message: { ...message, content }, ...cutFields(raw, ["tool_use_result"]) };
}

function cutBlock(block: unknown): unknown {
  return isRecord(block) ? { ...block, ...cutFields(block, ["text", "content"]) } : block;
}

function cutFields(record: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => name in record).map((name) => [name, cut(record[name])]));
}

function cutList(value: unknown): unknown {
  return Array.isArray(value) ? value.map(cut) : value;
}

function cut(value: unknown): unknown {
  return typeof value === "string" && value.length > PROSE_LENGTH ? value.slice(0, PROSE_LENGTH) + CUT : value;
}
