import { constants } from "node:buffer";
import type { Socket } from "node:net";
import { LineSplitter } from "../line-splitter.js";

type Header<M> = M & { readonly lines?: number };

/**
 * Messages over a socket: each is JSON on one line, with the number of raw lines that follow it. So the output of an agent
 * passes as it is, without being read as JSON or written as such on the way.
 */
export class MessageStream<In, Out> {
  readonly #socket: Socket;
  readonly #onMessage: (message: In, lines: readonly string[]) => void;
  readonly #splitter: LineSplitter;
  #message: In | undefined;
  #lines: string[] = [];
  #missing = 0;

  constructor(socket: Socket, onMessage: (message: In, lines: readonly string[]) => void) {
    this.#socket = socket;
    this.#onMessage = onMessage;
    const onOverlong = () => socket.destroy(new Error("a message is longer than a string can be"));
    const sink = { onLine: (line: string) => this.#onLine(line), onOverlong };
    this.#splitter = new LineSplitter(sink, constants.MAX_STRING_LENGTH);
    socket.on("data", (chunk: Buffer) => this.#splitter.push(chunk));
    // The other side's end is told by `close`.
    socket.on("error", () => {});
  }

  send(message: Out, lines: readonly string[] = []): void {
    if (this.#socket.destroyed) return;
    const header = JSON.stringify(lines.length === 0 ? message : { ...message, lines: lines.length });
    this.#socket.write(lines.length === 0 ? `${header}\n` : `${header}\n${lines.join("\n")}\n`);
  }

  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #onLine(line: string): void {
    if (this.#message === undefined) {
      const message = JSON.parse(line) as Header<In>;
      this.#missing = message.lines ?? 0;
      this.#message = message;
    } else {
      this.#lines.push(line);
      this.#missing -= 1;
    }
    if (this.#missing === 0) this.#deliver(this.#message);
  }

  #deliver(message: In): void {
    const lines = this.#lines;
    this.#message = undefined;
    this.#lines = [];
    this.#onMessage(message, lines);
  }
}
