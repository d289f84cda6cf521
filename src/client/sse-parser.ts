export interface SseMessage {
  readonly event: string;
  readonly data: string;
}

/** Reads server-sent events as they come in pieces, each character once, however many pieces a message has. */
export class SseParser {
  private pieces: string[] = [];
  private event = "";
  private data: string[] = [];

  constructor(private readonly onMessage: (message: SseMessage) => void) {}

  push(text: string): void {
    this.pieces.push(text);
    if (!text.includes("\n")) return;
    const lines = this.pieces.join("").split("\n");
    this.pieces = [lines.pop() ?? ""];
    for (const line of lines) this.read(line.endsWith("\r") ? line.slice(0, -1) : line);
  }

  private read(line: string): void {
    if (line === "") return this.finish();
    const colon = line.indexOf(":");
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (name === "event") this.event = value;
    if (name === "data") this.data.push(value);
  }

  private finish(): void {
    const message = { event: this.event || "message", data: this.data.join("\n") };
    const isEmpty = this.data.length === 0;
    this.event = "";
    this.data = [];
    if (!isEmpty) this.onMessage(message);
  }
}
