/**
 * The one way a frame becomes a line. Validated before anything is written: half a line, or a line that says
 * `undefined`, would break every later message to the agent.
 */
export function encodeFrame(frame: unknown): string {
  if (!isPlainObject(frame)) throw new TypeError(`A frame must be a plain JSON object, not ${describe(frame)}`);
  const text = stringify(frame);
  // A toJSON method may have answered anything.
  if (!text?.startsWith("{")) throw new TypeError("A frame must be written as a JSON object; its toJSON answers none");
  return `${escapeSeparators(text)}\n`;
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function stringify(frame: object): string | undefined {
  try {
    return JSON.stringify(frame);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TypeError(`A frame cannot be written as JSON: ${reason}`, { cause: error });
  }
}

/** Agents that read with `readline` would see a line end in a raw U+2028 or U+2029. */
function escapeSeparators(text: string): string {
  return text.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return `an instance of ${value.constructor?.name || "a class"}`;
  return value === undefined ? "undefined" : `a ${typeof value}`;
}
