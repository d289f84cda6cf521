/** What the scripted model says: data only. The server turns it into Messages API answers. */

export { spare } from "../model-server/script.js";

/** The answers of one model server, by lane: see `lanes.ts` for which request belongs to which. */
export type Lanes = Readonly<Record<string, readonly ScriptedResponse[]>>;

export type ScriptedResponse = MessageResponse | ErrorResponse | EmptyResponse | HangResponse;

/** A fault that ends a stream: the connection is cut, or the API reports an error inside the stream. */
export type Fault = "cut" | { readonly type: string; readonly message: string };

/**
 * How a block is streamed. `gate` and `fault` take effect once `after` deltas are written (default: all of them), and
 * always before the block's end; with both the fault waits behind the gate, so that a scenario can make sure that the
 * client has read what came before.
 */
export interface BlockOptions {
  /** Characters per delta. */
  readonly chunk?: number;
  readonly after?: number;
  readonly gate?: string;
  readonly fault?: Fault;
}

export type ScriptedBlock = BlockOptions &
  (
    | { readonly type: "text"; readonly text: string }
    | { readonly type: "thinking"; readonly thinking: string }
    | { readonly type: "tool_use"; readonly name: string; readonly json: string; readonly id?: string }
  );

export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface MessageOptions {
  /** The whole answer, headers included, waits for this gate. */
  readonly gate?: string;
  /** By default `tool_use` when a block is a tool call, else `end_turn`. */
  readonly stopReason?: "end_turn" | "tool_use" | "max_tokens" | "refusal" | "stop_sequence";
  readonly stopDetails?: Readonly<Record<string, unknown>>;
  readonly usage?: Partial<Usage>;
  /**
   * What the answer quotes of its request, such as an id that the CLI made up: `{{name}}` in a text or an input stands
   * for the group of the last match of the pattern in any string of the request.
   */
  readonly recall?: Readonly<Record<string, RegExp>>;
  /** Ends the stream after the last block, before the stop reason is told. */
  readonly fault?: Fault;
}

export interface MessageResponse extends MessageOptions {
  readonly kind: "message";
  readonly blocks: readonly ScriptedBlock[];
}

/** An HTTP error. */
export interface ErrorResponse {
  readonly kind: "error";
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A stream that ends without a single event. */
export interface EmptyResponse {
  readonly kind: "empty";
}

/** No answer at all, until the client leaves or the server is told to release what hangs. */
export interface HangResponse {
  readonly kind: "hang";
  /** `reached` of this name tells that the request has come. */
  readonly gate: string;
}

export function text(value: string, options: BlockOptions = {}): ScriptedBlock {
  return { type: "text", text: value, ...options };
}

export function thinking(value: string, options: BlockOptions = {}): ScriptedBlock {
  return { type: "thinking", thinking: value, ...options };
}

export function toolUse(
  name: string,
  input: Readonly<Record<string, unknown>>,
  options: BlockOptions & { readonly id?: string } = {},
): ScriptedBlock {
  return rawToolUse(name, JSON.stringify(input), options);
}

/** A tool call whose input is streamed as it stands, also where it is not JSON. */
export function rawToolUse(
  name: string,
  json: string,
  options: BlockOptions & { readonly id?: string } = {},
): ScriptedBlock {
  return { type: "tool_use", name, json, ...options };
}

export function message(blocks: readonly ScriptedBlock[], options: MessageOptions = {}): MessageResponse {
  return { kind: "message", blocks, ...options };
}

/** An answer of one text, the most frequent one. */
export function say(value: string, options: MessageOptions = {}): MessageResponse {
  return message([text(value)], options);
}

export function httpError(
  status: number,
  type: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): ErrorResponse {
  return { kind: "error", status, type, message: text, headers };
}

export function emptyStream(): EmptyResponse {
  return { kind: "empty" };
}

export function hang(gate: string): HangResponse {
  return { kind: "hang", gate };
}
