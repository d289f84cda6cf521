import type { Part, ToolPart, WireEvent } from "../../../schemas/index.js";
import type { Screen, Style } from "./screen.js";

const MARKS = { pending: "…", running: "▸", blocked: "?", completed: "✓", error: "✗" } as const;
const WAITS_FOR = { permission: " needs permission", question: " asks", call: " waits for its client" } as const;
const OUTPUT_LINES = 6;
const CHILD_PREFIX = "  ┆ ";

type TextPart = Extract<Part, { type: "text" | "reasoning" }>;

/**
 * Shows a session's events as a person reads them: text as it streams, tools by what they do. What a subagent says is shown
 * when it has said it, so that texts do not run into each other. What was shown already may come again.
 */
export class TerminalView {
  readonly #screen: Screen;
  /** Text of an open part, or the status of a tool. */
  readonly #shown = new Map<string, string>();
  readonly #closed = new Set<string>();
  readonly #ownMessages = new Set<string>();
  readonly #reasoning = new Set<string>();
  readonly #children = new Set<string>();
  /** The part whose text ends where the next would go on. */
  #streaming: string | undefined;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  show(event: WireEvent): void {
    switch (event.type) {
      case "session.created":
      case "session.updated":
        if (event.properties.info.parentID !== undefined) this.#children.add(event.properties.sessionID);
        return;
      case "message.updated":
        if (event.properties.info.role === "user") this.#ownMessages.add(event.properties.info.id);
        return;
      case "message.part.delta":
        if (event.properties.field === "text") this.#showDelta(event.properties);
        return;
      case "message.part.updated":
        return this.#showPart(event.properties.part);
      case "session.status":
        if (event.properties.status.type !== "retry") return;
        return this.#line(event.properties.sessionID, `retrying: ${event.properties.status.message}`);
      case "session.error":
        return this.#line(event.properties.sessionID, `✗ ${event.properties.error.message}`);
      default:
        return;
    }
  }

  #showDelta(properties: { sessionID: string; partID: string; offset: number; delta: string }): void {
    const { sessionID, partID, offset, delta } = properties;
    const shown = this.#shown.get(partID) ?? "";
    const fresh = delta.slice(Math.max(0, shown.length - offset));
    if (this.#children.has(sessionID) || this.#closed.has(partID)) return;
    this.#shown.set(partID, shown + fresh);
    this.#stream(partID, fresh);
  }

  #showPart(part: Part): void {
    if (part.type === "tool") return this.#showTool(part);
    if ((part.type !== "text" && part.type !== "reasoning") || this.#closed.has(part.id)) return;
    if (this.#ownMessages.has(part.messageID)) return this.#showWhole(part, "> ");
    if (part.type === "reasoning") this.#reasoning.add(part.id);
    const isOver = part.time?.end !== undefined;
    if (!this.#children.has(part.sessionID)) this.#showRest(part, isOver);
    else if (isOver) this.#showWhole(part, "");
  }

  /** What of a text was not shown yet: all of it where it did not stream. */
  #showRest(part: TextPart, isOver: boolean): void {
    const shown = this.#shown.get(part.id) ?? "";
    if (part.text.startsWith(shown)) {
      this.#shown.set(part.id, part.text);
      this.#stream(part.id, part.text.slice(shown.length));
    }
    if (!isOver) return;
    this.#close(part.id);
    if (this.#streaming === part.id) this.#screen.freshLine();
  }

  #showWhole(part: TextPart, mark: string): void {
    this.#close(part.id);
    this.#line(part.sessionID, mark + part.text, { dim: part.type === "reasoning" });
  }

  /** What is heard of it later is old. */
  #close(partID: string): void {
    this.#closed.add(partID);
    this.#shown.delete(partID);
  }

  #stream(partID: string, text: string): void {
    if (text === "") return;
    if (this.#streaming !== partID) this.#screen.freshLine();
    this.#streaming = partID;
    this.#screen.write(text, { dim: this.#reasoning.has(partID) });
  }

  #showTool({ id, sessionID, tool, state }: ToolPart): void {
    const before = this.#shown.get(id);
    if (state.status === "pending" || state.status === before || this.#closed.has(id)) return;
    const title = ("title" in state && state.title) || tool;
    const asked = before === "blocked";
    if (state.status === "completed" || state.status === "error") this.#close(id);
    else this.#shown.set(id, state.status);
    if (state.status === "running" && asked) return;
    const waits = state.status === "blocked" ? WAITS_FOR[state.block.type] : "";
    this.#line(sessionID, `${MARKS[state.status]} ${title}${waits}`);
    if (state.status === "blocked" && state.block.type === "permission")
      this.#showDiff(sessionID, state.block.metadata.diff);
    if (state.status === "completed") this.#showOutput(sessionID, state.output);
    if (state.status === "error") this.#showOutput(sessionID, state.error);
  }

  #showDiff(sessionID: string, diff: unknown): void {
    if (typeof diff !== "string") return;
    this.#showOutput(sessionID, diff.split("\n").slice(2).join("\n"), Number.POSITIVE_INFINITY);
  }

  #showOutput(sessionID: string, text: string, most = OUTPUT_LINES): void {
    const lines = text.split("\n").filter((line) => line !== "");
    for (const line of lines.slice(0, most)) this.#line(sessionID, `  ${line}`, { dim: true });
    if (lines.length > most) this.#line(sessionID, `  … ${lines.length - most} more lines`, { dim: true });
  }

  #line(sessionID: string, text: string, style?: Style): void {
    const prefix = this.#children.has(sessionID) ? CHILD_PREFIX : "";
    this.#screen.line(prefix === "" ? text : text.replace(/^/gm, prefix), style);
    this.#streaming = undefined;
  }
}
