export type Json = Record<string, unknown>;

const NATIVE_SESSION = "00000000-0000-4000-8000-000000000001";

/** What the CLI writes, as small as the adapter lets it be. */
export const native = {
  init: (change: Json = {}): Json => ({
    type: "system",
    subtype: "init",
    session_id: NATIVE_SESSION,
    model: "claude-x",
    permissionMode: "default",
    claude_code_version: "2.1.332",
    ...change,
  }),
  event: (event: Json, change: Json = {}): Json => ({
    type: "stream_event",
    event,
    parent_tool_use_id: null,
    ...change,
  }),
  start: (id: string, usage: Json = {}): Json =>
    native.event({ type: "message_start", message: { id, model: "claude-x", usage } }),
  open: (index: number, block: Json): Json =>
    native.event({ type: "content_block_start", index, content_block: block }),
  openTool: (index: number, id: string, name = "Bash"): Json =>
    native.open(index, { type: "tool_use", id, name, input: {} }),
  text: (index: number, text: string): Json =>
    native.event({ type: "content_block_delta", index, delta: { type: "text_delta", text } }),
  json: (index: number, partial_json: string): Json =>
    native.event({ type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json } }),
  stop: (index: number): Json => native.event({ type: "content_block_stop", index }),
  end: (stop_reason: string | null, usage: Json = {}): Json =>
    native.event({ type: "message_delta", delta: { stop_reason }, usage }),
  messageStop: (abandoned?: number): Json =>
    native.event(
      { type: "message_stop" },
      abandoned === undefined ? {} : { abandoned_blocks: { api_message_id: null, from_block_index: abandoned } },
    ),
  /** One block of a response, whole. */
  whole: (id: string, block: Json, message: Json = {}): Json => ({
    type: "assistant",
    message: { id, model: "claude-x", content: [block], stop_reason: null, ...message },
    parent_tool_use_id: null,
  }),
  call: (id: string, name: string, input: Json): Json => ({ type: "tool_use", id, name, input }),
  ask: (request_id: string, tool_use_id: string, name: string, input: Json, change: Json = {}): Json => ({
    type: "control_request",
    request_id,
    request: { subtype: "can_use_tool", tool_name: name, tool_use_id, input, ...change },
  }),
  withdraw: (request_id: string): Json => ({ type: "control_cancel_request", request_id }),
  toolResult: (tool_use_id: string, content: unknown, change: Json = {}, line: Json = {}): Json => ({
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id, content, ...change }] },
    parent_tool_use_id: null,
    ...line,
  }),
  result: (change: Json = {}): Json => ({
    type: "result",
    subtype: "success",
    is_error: false,
    terminal_reason: "completed",
    ...change,
  }),
  aborted: (where: "streaming" | "tools", change: Json = {}): Json =>
    native.result({
      subtype: "error_during_execution",
      is_error: true,
      terminal_reason: `aborted_${where}`,
      errors: ["[ede_diagnostic] noise"],
      ...change,
    }),
};
