import type { Part, ToolPart, WireEvent } from "../../schemas/index.js";

const DIM = "\u001b[2m";
const RESET = "\u001b[0m";
const MARKS = { pending: "…", running: "▸", blocked: "?", completed: "✓", error: "✗" } as const;
const WAITS_FOR = { permission: " needs permission", question: " asks", call: " waits for its client" } as const;
const OUTPUT_LINES = 6;

/** Shows a session's events as a person reads them: text as it streams, tools by what they do. */
export class TerminalView {
  readonly #out: NodeJS.WritableStream;
  readonly #colour: boolean;
  readonly #shown = new Map<string, string>();
  readonly #ownMessages = new Set<string>();
  readonly #reasoning = new Set<string>();
  #midLine = false;

  constructor(out: NodeJS.WritableStream & { isTTY?: boolean }) {
    this.#out = out;
    this.#colour = out.isTTY === true && !process.env.NO_COLOR;
  }

  show(event: WireEvent): void {
    switch (event.type) {
      case "message.updated":
        if (event.properties.info.role === "user") this.#ownMessages.add(event.properties.info.id);
        return;
      case "message.part.delta":
        return this.#showDelta(event.properties.partID, event.properties.field, event.properties.delta);
      case "message.part.updated":
        return this.#showPart(event.properties.part);
      case "session.status":
        if (event.properties.status.type === "retry") this.line(`retrying: ${event.properties.status.message}`);
        return;
      case "session.error":
        return this.line(`✗ ${event.properties.error.message}`);
      default:
        return;
    }
  }

  /** A line of its own, whatever stands on the current one. */
  line(text: string): void {
    this.#out.write(`${this.#midLine ? "\n" : ""}${text}\n`);
    this.#midLine = false;
  }

  #showDelta(partID: string, field: string, delta: string): void {
    if (field !== "text") return;
    this.#shown.set(partID, (this.#shown.get(partID) ?? "") + delta);
    this.#write(delta, this.#reasoning.has(partID));
  }

  #showPart(part: Part): void {
    if (part.type === "tool") return this.#showTool(part);
    if (part.type !== "text" && part.type !== "reasoning") return;
    if (this.#ownMessages.has(part.messageID)) return this.line(`> ${part.text}`);
    if (part.type === "reasoning") this.#reasoning.add(part.id);
    if (part.time?.end === undefined) return;
    const shown = this.#shown.get(part.id) ?? "";
    if (part.text.startsWith(shown)) this.#write(part.text.slice(shown.length), part.type === "reasoning");
    this.#shown.delete(part.id);
    if (this.#midLine) this.#write("\n", false);
  }

  #showTool(part: ToolPart): void {
    const { state } = part;
    if (state.status === "pending" || this.#shown.get(part.id) === state.status) return;
    const title = ("title" in state && state.title) || part.tool;
    const asked = this.#shown.get(part.id) === "blocked";
    this.#shown.set(part.id, state.status);
    if (state.status === "running" && asked) return;
    this.line(`${MARKS[state.status]} ${title}${state.status === "blocked" ? WAITS_FOR[state.block.type] : ""}`);
    if (state.status === "blocked" && state.block.type === "permission") this.#showDiff(state.block.metadata.diff);
    if (state.status === "completed") this.#showOutput(state.output);
    if (state.status === "error") this.#showOutput(state.error);
  }

  #showDiff(diff: unknown): void {
    if (typeof diff === "string") this.#showOutput(diff.split("\n").slice(2).join("\n"), Number.POSITIVE_INFINITY);
  }

  #showOutput(text: string, most = OUTPUT_LINES): void {
    const lines = text.split("\n").filter((line) => line !== "");
    for (const line of lines.slice(0, most)) this.line(this.#dim(`  ${line}`));
    if (lines.length > most) this.line(this.#dim(`  … ${lines.length - most} more lines`));
  }

  #write(text: string, dim: boolean): void {
    if (text === "") return;
    this.#out.write(dim ? this.#dim(text) : text);
    this.#midLine = !text.endsWith("\n");
  }

  #dim(text: string): string {
    return this.#colour ? `${DIM}${text}${RESET}` : text;
  }
}
