import type { Writable } from "node:stream";
import { LineSplitter } from "../line-splitter.js";
import type { AgentLink, Report } from "./agent-link.js";
import type { Channel } from "./channel.js";
import { createChannel, type LineChannel } from "./channels.js";
import { LineWriter } from "./line-writer.js";

interface LineLinkOptions {
  readonly channel: LineChannel;
  readonly maxLineBytes: number;
  readonly stdin: Writable;
  readonly report: Report;
}

/** Lines on stdin and stdout. */
export class LineLink implements AgentLink {
  readonly #channel: Channel;
  readonly #splitter: LineSplitter;
  readonly #writer: LineWriter;
  readonly #report: Report;

  constructor({ channel, maxLineBytes, stdin, report }: LineLinkOptions) {
    this.#channel = createChannel(channel);
    this.#writer = new LineWriter(stdin);
    this.#report = report;
    const onOverlong = (bytes: number) => {
      const detail = `A line of at least ${bytes} bytes was discarded: the limit is ${maxLineBytes} bytes`;
      report({ kind: "fault", detail });
    };
    this.#splitter = new LineSplitter({ onLine: (line) => this.#read(line), onOverlong }, maxLineBytes);
  }

  push(chunk: Buffer): void {
    this.#splitter.push(chunk);
  }

  end(): void {
    this.#splitter.end();
  }

  whenRead(done: () => void): void {
    done();
  }

  send(frame: unknown): void {
    this.#writer.write(this.#channel.encode(frame));
  }

  close(): void {
    this.#writer.end();
  }

  drop(): void {
    this.#writer.drop();
  }

  #read(line: string): void {
    for (const reading of this.#channel.read(line)) {
      if (reading.kind === "answer") this.#writer.write(reading.line);
      else this.#report(reading);
    }
  }
}
