import type { DeltaField, Part } from "../../schemas/index.js";

/**
 * What became of a delta. `covered`: the part has this text already. `closed`: the part takes no more text there.
 * `hole`: text before the delta is missing, so the part has to be read again.
 */
export type DeltaOutcome = "appended" | "covered" | "closed" | "hole";

export interface DeltaResult {
  /** The same object when nothing was appended. */
  readonly part: Part;
  readonly outcome: DeltaOutcome;
  /** What was appended: the delta, or its end where its beginning was there already. */
  readonly added: string;
}

/** Appends a delta to an open part. Applied twice it changes nothing, and no text is looked at: the cost is that of `+`. */
export function appendDelta(part: Part, field: DeltaField, offset: number, delta: string): DeltaResult {
  const text = openText(part, field);
  if (text === undefined) return { part, outcome: "closed", added: "" };
  if (offset > text.length) return { part, outcome: "hole", added: "" };
  const known = text.length - offset;
  if (known >= delta.length) return { part, outcome: "covered", added: "" };
  const added = known === 0 ? delta : delta.slice(known);
  return { part: withText(part, text + added), outcome: "appended", added };
}

/** The text that a delta of this field would go on with; undefined when the part is closed or has no such field. */
function openText(part: Part, field: DeltaField): string | undefined {
  switch (field) {
    case "text":
      if (part.type !== "text" && part.type !== "reasoning") return undefined;
      return part.time?.end === undefined ? part.text : undefined;
    case "state.raw":
      return part.type === "tool" && part.state.status === "pending" ? part.state.raw : undefined;
    case "state.metadata.output":
      return part.type === "tool" ? openOutput(part.state) : undefined;
  }
}

type ToolState = Extract<Part, { type: "tool" }>["state"];

/** A tool that has said nothing yet need not carry an empty `output`. */
function openOutput(state: ToolState): string | undefined {
  if (state.status !== "running" && state.status !== "blocked") return undefined;
  const output = state.metadata?.output ?? "";
  return typeof output === "string" ? output : undefined;
}

function withText(part: Part, text: string): Part {
  if (part.type === "text" || part.type === "reasoning") return { ...part, text };
  if (part.type !== "tool") return part;
  const { state } = part;
  if (state.status === "pending") return { ...part, state: { ...state, raw: text } };
  return { ...part, state: { ...state, metadata: { ...state.metadata, output: text } } };
}
