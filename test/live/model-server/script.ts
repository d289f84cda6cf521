/** What a scripted model says, in words that each API has: data only. A dialect turns it into answers of its API. */

/** The answers of one model server, by lane. */
export type Lanes = Readonly<Record<string, readonly ScriptedAnswer[]>>;

export type ScriptedAnswer = PartsAnswer | ErrorAnswer | EmptyAnswer | HangAnswer;

/** A fault that ends a stream: the connection is cut, or the API reports an error inside the stream. */
export type Fault = "cut" | ApiError;

export interface ApiError {
  readonly status: number;
  readonly message: string;
}

/**
 * How a part is streamed. `gate` and `fault` take effect once `after` deltas are written (default: all of them); with
 * both the fault waits behind the gate, so that a scenario can make sure that the client has read what came before.
 */
export interface PartOptions {
  /** Characters per delta. */
  readonly chunk?: number;
  readonly after?: number;
  readonly gate?: string;
  readonly fault?: Fault;
}

export type ScriptedPart = PartOptions &
  (
    | { readonly type: "text"; readonly text: string }
    | { readonly type: "thought"; readonly text: string }
    | ScriptedCall
  );

export interface ScriptedCall {
  readonly type: "call";
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** For an API whose tools may take a text in place of an object. */
  readonly freeform?: string;
}

export interface Usage {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly thought: number;
}

export interface AnswerOptions {
  /** The whole answer, headers included, waits for this gate. */
  readonly gate?: string;
  /** Why the model stopped, where neither its last word nor a call is the reason. */
  readonly finish?: "length" | "refusal";
  readonly usage?: Partial<Usage>;
}

export interface PartsAnswer extends AnswerOptions {
  readonly kind: "parts";
  readonly parts: readonly ScriptedPart[];
}

/** An HTTP error, with a body as the API writes it. */
export interface ErrorAnswer extends ApiError {
  readonly kind: "error";
}

/** A stream that ends without a single event. */
export interface EmptyAnswer {
  readonly kind: "empty";
}

/** No answer at all, until the client leaves or the server is told to release what hangs. */
export interface HangAnswer {
  readonly kind: "hang";
  /** `reached` of this name tells that the request has come. */
  readonly gate: string;
  /** It may be that nobody asks for it: the agent or the end of its turn is faster. */
  readonly spare?: boolean;
}

export function text(value: string, options: PartOptions = {}): ScriptedPart {
  return { type: "text", text: value, ...options };
}

export function thought(value: string, options: PartOptions = {}): ScriptedPart {
  return { type: "thought", text: value, ...options };
}

export function answer(parts: readonly ScriptedPart[], options: AnswerOptions = {}): PartsAnswer {
  return { kind: "parts", parts, ...options };
}

/** An answer of one text, the most frequent one. */
export function say(value: string, options: AnswerOptions = {}): PartsAnswer {
  return answer([text(value)], options);
}

export function httpError(status: number, message: string): ErrorAnswer {
  return { kind: "error", status, message };
}

export function emptyStream(): EmptyAnswer {
  return { kind: "empty" };
}

export function hang(gate: string): HangAnswer {
  return { kind: "hang", gate };
}

/** What a request gets that may come before an abort has reached the agent. */
export function spare(): HangAnswer {
  return { kind: "hang", gate: "spare", spare: true };
}
