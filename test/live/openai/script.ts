/** What the scripted model says: data only. The server turns it into answers of the Responses API. */

import type { LaneEntry } from "../model-server/lane-dealer.js";

/** The answers of one model server, by lane: see `lanes.ts` for which request belongs to which. */
export type Lanes = Readonly<Record<string, readonly LaneEntry<ScriptedResponse>[]>>;

export type ScriptedResponse = OutputResponse | ErrorResponse | EmptyResponse | HangResponse;

/** A fault that ends a stream: the connection is cut, or the API reports that the response failed or is incomplete. */
export type Fault =
  | "cut"
  | { readonly failed: { readonly code: string; readonly message: string } }
  | { readonly incomplete: string };

/**
 * How an item is streamed. `gate` and `fault` take effect once `after` deltas are written (default: all of them), and
 * always before the item's end; with both the fault waits behind the gate.
 */
export interface ItemOptions {
  /** Characters per delta. */
  readonly chunk?: number;
  readonly after?: number;
  readonly gate?: string;
  readonly fault?: Fault;
  /** Made up by the server where it is left out: `msg_0001`, `rs_0001`, `call_0001`. */
  readonly id?: string;
  /** The item comes whole, as providers send it that do not stream. */
  readonly whole?: boolean;
}

export type ScriptedItem = ItemOptions &
  (
    | { readonly type: "text"; readonly text: string; readonly phase?: "commentary" | "final_answer" }
    | { readonly type: "reasoning"; readonly summary: readonly string[]; readonly raw?: string }
    | { readonly type: "call"; readonly name: string; readonly json: string; readonly namespace?: string }
    | { readonly type: "custom"; readonly name: string; readonly input: string }
    | { readonly type: "raw"; readonly item: Readonly<Record<string, unknown>> }
  );

export interface Usage {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly reasoning: number;
}

export interface OutputOptions {
  /** The whole answer, headers included, waits for this gate. */
  readonly gate?: string;
  readonly usage?: Partial<Usage>;
  /** Ends the stream after the last item. */
  readonly fault?: Fault;
}

export interface OutputResponse extends OutputOptions {
  readonly kind: "output";
  readonly items: readonly ScriptedItem[];
}

/** An HTTP error, with the API's own body. */
export interface ErrorResponse {
  readonly kind: "error";
  readonly status: number;
  readonly error: Readonly<Record<string, unknown>>;
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

export function text(
  value: string,
  options: ItemOptions & { readonly phase?: "commentary" | "final_answer" } = {},
): ScriptedItem {
  return { type: "text", text: value, ...options };
}

export function reasoning(
  summary: readonly string[],
  options: ItemOptions & { readonly raw?: string } = {},
): ScriptedItem {
  return { type: "reasoning", summary, ...options };
}

export function call(
  name: string,
  input: Readonly<Record<string, unknown>>,
  options: ItemOptions & { readonly namespace?: string } = {},
): ScriptedItem {
  return { type: "call", name, json: JSON.stringify(input), ...options };
}

export function custom(name: string, input: string, options: ItemOptions = {}): ScriptedItem {
  return { type: "custom", name, input, ...options };
}

/** An item as the API sends it, such as of a tool that runs at the vendor's. */
export function raw(item: Readonly<Record<string, unknown>>): ScriptedItem {
  return { type: "raw", item };
}

export function output(items: readonly ScriptedItem[], options: OutputOptions = {}): OutputResponse {
  return { kind: "output", items, ...options };
}

/** An answer of one text, the most frequent one. */
export function say(value: string, options: OutputOptions = {}): OutputResponse {
  return output([text(value)], options);
}

export function httpError(status: number, error: Readonly<Record<string, unknown>>): ErrorResponse {
  return { kind: "error", status, error };
}

export function emptyStream(): EmptyResponse {
  return { kind: "empty" };
}

export function hang(gate: string): HangResponse {
  return { kind: "hang", gate };
}
