import { isDeepStrictEqual } from "node:util";
import { mapStrings, type Placeholder, reveal } from "./placeholders.js";
import type { Trace, TraceLine } from "./trace.js";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Fields whose value the gateway chooses anew in each session. */
const FREE_FIELDS = new Set(["uuid", "request_id", "clientUserMessageId"]);
/** Fields a client chooses: a player tells the same story whatever the prompt. */
const CLIENT_FIELDS = new Set(["content", "input"]);

export interface PlayerOptions {
  readonly placeholders: readonly Placeholder[];
  /** Set apart from other runs: added to the ids that the agent's model made up. */
  readonly suffix: string;
  readonly write: (line: string) => void;
  /** Waits between two lines, in milliseconds of the recording. */
  readonly pause: (ms: number) => Promise<void>;
  /** The next line that came in; undefined when no more will. */
  readonly next: () => Promise<string | undefined>;
}

/** What a player stops for: the gateway said something else than the trace expects. */
export class UnexpectedInput extends Error {
  override readonly name = "UnexpectedInput";
}

/**
 * Plays the agent's side of a golden trace: writes its frames, and where the trace expects the gateway to send something,
 * waits for it and compares. Ids that each session chooses anew are carried over into what is written after them.
 */
export async function playTrace(trace: Trace, options: PlayerOptions): Promise<void> {
  const carried = new Map<string, string>();
  let before = 0;
  for (const line of trace.native) {
    if (line.kind === "frame") {
      await options.pause(line.t - before);
      options.write(`${JSON.stringify(outgoing(line.frame, carried, options))}\n`);
    } else if (isSend(line)) {
      await expectSend(line.output.frame, carried, options);
    }
    before = line.t;
  }
}

type Send = { readonly kind: "send"; readonly frame: unknown };

function isSend(line: TraceLine): line is TraceLine & { readonly kind: "expect"; readonly output: Send } {
  return line.kind === "expect" && line.output.kind === "send";
}

const MODEL_ID = /\b(msg|toolu|req)_\w+/g;

function outgoing(frame: unknown, carried: ReadonlyMap<string, string>, options: PlayerOptions): unknown {
  const own = mapStrings(
    frame,
    (text) => carried.get(text) ?? text.replace(MODEL_ID, (id) => `${id}_${options.suffix}`),
  );
  return reveal(withID(own), options.placeholders);
}

/** On the wire a JSON-RPC request and its answer have an id; in a trace a token stands for it, which is its JSON text. */
function withID(frame: unknown): unknown {
  if (typeof frame !== "object" || frame === null || !("token" in frame)) return frame;
  const { token, ...rest } = frame;
  return { id: JSON.parse(String(token)), ...rest };
}

async function expectSend(expected: unknown, carried: Map<string, string>, options: PlayerOptions): Promise<void> {
  const line = await options.next();
  if (line === undefined) throw new UnexpectedInput(`the input ended; expected ${JSON.stringify(expected)}`);
  const actual: unknown = JSON.parse(line);
  if (matches(reveal(withID(expected), options.placeholders), actual, carried)) return;
  throw new UnexpectedInput(`expected ${JSON.stringify(expected)}, got ${line}`);
}

function matches(expected: unknown, actual: unknown, carried: Map<string, string>, field = ""): boolean {
  if (CLIENT_FIELDS.has(field)) return true;
  if (typeof expected === "string" && typeof actual === "string" && (FREE_FIELDS.has(field) || UUID.test(expected))) {
    carried.set(expected, actual);
    return true;
  }
  if (typeof expected !== "object" || typeof actual !== "object" || !expected || !actual)
    return isDeepStrictEqual(expected, actual);
  const keys = Object.keys(expected);
  if (!isDeepStrictEqual(keys.sort(), Object.keys(actual).sort())) return false;
  return keys.every((key) => matches((expected as Fields)[key], (actual as Fields)[key], carried, key));
}

type Fields = Record<string, unknown>;
