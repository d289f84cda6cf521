import { isRecord } from "../shared/is-record.js";
import type { ContentBlock, UserFrame } from "./frame.js";
import type { ClaudeDraft } from "./state.js";

/** A larger output stays the preview that the line holds. */
export const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;

/** How the CLI tells the model where an output went that is too large for it, where nothing else tells. */
const NOTES = [
  /^<persisted-output>\nOutput too large \([^)\n]*\)\. Full output saved to: ([^\n]+)\n/,
  /^Error: result \([^)\n]*\) exceeds maximum allowed tokens\. Output has been saved to ([^\n]+)\.\n/,
];

/** The file that holds the whole output of a tool, where its result is only a preview. */
export function savedOutput(draft: ClaudeDraft, text: string, structured: unknown): string | undefined {
  const told = savedPath(structured);
  if (told !== undefined) return told;
  const path = NOTES.map((note) => note.exec(text)?.[1]).find((found) => found !== undefined);
  return path !== undefined && isOfSession(draft, path) ? path : undefined;
}

/** The file as the structured result tells it. */
export function savedPath(structured: unknown): string | undefined {
  const path = isRecord(structured) ? structured.persistedOutputPath : undefined;
  return typeof path === "string" ? path : undefined;
}

/** A command can print such a note too: only a file in the session's own folder is read for it. */
function isOfSession({ state }: ClaudeDraft, path: string): boolean {
  const names = path.split(/[\\/]/);
  const [session, folder] = names.slice(-3);
  return names.length > 3 && !names.includes("..") && folder === "tool-results" && session === state.nativeID;
}

/** Asks for the file; the result waits for it. */
export function holdResult(
  draft: ClaudeDraft,
  callID: string,
  path: string,
  result: ContentBlock,
  frame: UserFrame,
): void {
  const token = `output:${callID}`;
  if (draft.state.held[token]) return;
  const { tool_use_result: structured, tool_result_meta: meta } = frame;
  draft.state.held[token] = { callID, path, result, structured, meta: meta?.find(({ id }) => id === callID) };
  draft.outputs.push({ kind: "read", token, path, maxBytes: MAX_OUTPUT_BYTES });
}

/** What is told of an output that could not be had whole. */
export function previewMetadata(path: string, structured: unknown): Record<string, unknown> {
  const size = isRecord(structured) ? structured.persistedOutputSize : undefined;
  return { truncated: true, outputPath: path, ...(typeof size === "number" && { outputBytes: size }) };
}
