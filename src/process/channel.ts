/** How the lines of a child become frames, and frames become lines. */
export interface Channel {
  /** What one line says: nothing, a frame, or why it is none. Never throws. */
  read(line: string): readonly Reading[];
  /** The line for a frame, with its line end. Throws a TypeError that names the problem for what is no frame. */
  encode(frame: unknown): string;
}

/**
 * An agent event that is not yet stamped; the kinds mean what they mean in `AgentEvent`. An `answer` is no event: it is
 * the line that goes back to the agent at once, because the protocol itself demands it.
 */
export type Reading =
  | { readonly kind: "answer"; readonly line: string }
  | { readonly kind: "frame"; readonly frame: unknown }
  | { readonly kind: "noise"; readonly text: string; readonly what: "noise" | "strip" }
  | { readonly kind: "fault"; readonly detail: string };
