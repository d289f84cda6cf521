import type { Channel, Reading } from "./channel.js";
import { encodeFrame } from "./encode-frame.js";
import { excerpt } from "./excerpt.js";
import { measureTerminalPrefix, removeTerminalSequences } from "./terminal-sequences.js";

const FAULT_EXCERPT = 200;
const NOISE_EXCERPT = 4_000;

const IS_INDENT = /^[ \t\r]*$/;

/** `[tool] done`, `[1/3] …` and `{ inspected: 'objects' }` are talk; a frame that was cut begins like this. */
const BEGINS_LIKE_A_FRAME = /^(?:\{\s*"|\[\s*\{\s*")/;

/** One JSON object or array a line, among whatever else a program writes to its stdout. */
export const ndjsonChannel: Channel = { read: readLine, encode: encodeFrame };

function readLine(line: string): readonly Reading[] {
  return opensJson(line) ? [readBody(line)] : readPrefixed(line);
}

/** A line with something before its JSON, or with none. */
function readPrefixed(line: string): readonly Reading[] {
  const prefixLength = measureTerminalPrefix(line);
  const body = line.slice(prefixLength);
  if (!opensJson(body)) return line.trim() === "" ? [] : [noise(line)];
  const reading = readBody(body);
  const prefix = line.slice(0, prefixLength);
  if (IS_INDENT.test(prefix)) return [reading];
  // What was no frame after all is told as it came.
  if (reading.kind === "noise") return [noise(line)];
  return [{ kind: "noise", what: "strip", text: excerpt(prefix, NOISE_EXCERPT) }, reading];
}

function opensJson(text: string): boolean {
  const first = text.charCodeAt(0);
  return first === 0x7b || first === 0x5b;
}

function readBody(body: string): Reading {
  try {
    return { kind: "frame", frame: JSON.parse(body) };
  } catch (error) {
    return rescue(body) ?? (BEGINS_LIKE_A_FRAME.test(body) ? fault(body, error) : noise(body));
  }
}

/** A colour reset behind a frame must not cost the frame, either. */
function rescue(body: string): Reading | undefined {
  const clean = removeTerminalSequences(body);
  if (clean === body) return undefined;
  try {
    return { kind: "frame", frame: JSON.parse(clean) };
  } catch {
    return undefined;
  }
}

function noise(line: string): Reading {
  return { kind: "noise", what: "noise", text: excerpt(line, NOISE_EXCERPT) };
}

function fault(body: string, error: unknown): Reading {
  const reason = error instanceof Error ? error.message : String(error);
  const detail = `A line that begins like JSON does not parse (${excerpt(reason, FAULT_EXCERPT)}): `;
  return { kind: "fault", detail: detail + excerpt(body, FAULT_EXCERPT) };
}
