import { type DeltaField, isFinal, type Part } from "../../schemas/index.js";

export type TextLengths = { [F in DeltaField]?: number };

/** How long each text of a part is that deltas append to (UTF-16 units), or nothing when no delta can come any more. */
export function textLengths(part: Part): TextLengths | undefined {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part.time?.end === undefined ? { text: part.text.length } : undefined;
    case "tool":
      return toolTextLengths(part.state);
    default:
      return undefined;
  }
}

function toolTextLengths(state: Extract<Part, { type: "tool" }>["state"]): TextLengths | undefined {
  if (isFinal(state.status)) return undefined;
  if (state.status === "pending") return { "state.raw": state.raw.length };
  const output = state.metadata?.output;
  return { "state.metadata.output": typeof output === "string" ? output.length : 0 };
}
