import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { StringDecoder } from "node:string_decoder";
import { createParser } from "eventsource-parser";
import type { HttpAccess } from "./http-access.js";

/** How long to wait before each attempt to open the stream again, in milliseconds. A child that runs is there at once. */
const ATTEMPTS_MS = [0, 50, 200, 500, 1_000, 2_000];

interface EventStreamOptions {
  readonly access: HttpAccess;
  readonly address: URL;
  /** The largest event that is read, in characters. */
  readonly maxEvent: number;
  /** The stream is there; `again` after a break. */
  readonly onOpen: (again: boolean) => void;
  readonly onData: (data: string) => void;
  /** Something the child said is lost. */
  readonly onFault: (detail: string) => void;
  /** It could not be opened, or not again. */
  readonly onLost: (why: string) => void;
}

/**
 * The child's server-sent events. They have no ids to go on from, so a stream that breaks is opened anew, and whoever
 * listens is told to read again what it may have missed.
 */
export class EventStream {
  readonly #options: EventStreamOptions;
  #request: ClientRequest | undefined;
  #timer: NodeJS.Timeout | undefined;
  #opened = false;
  #failures = 0;
  #closed = false;
  #ended: (() => void)[] = [];

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.#open();
  }

  /** Opens no stream any more; calls back when the one that is open has ended. */
  whenEnded(done: () => void): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    if (this.#request) this.#ended.push(done);
    else done();
  }

  drop(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#request?.destroy();
  }

  #open(): void {
    const { access, address } = this.#options;
    const headers = { authorization: access.authorization, accept: "text/event-stream" };
    // A connection of its own, which never ends: it must not take a place among those of the requests.
    const sent = request(new URL(access.events, address), { headers, agent: false });
    this.#request = sent;
    let why = "it ended";
    sent.on("response", (response) => this.#read(response));
    sent.on("error", (error) => {
      why = error.message;
    });
    sent.on("close", () => this.#onClose(why));
    sent.end();
  }

  #read(response: IncomingMessage): void {
    if (response.statusCode !== 200) {
      this.#request?.destroy(new Error(`it was answered with ${response.statusCode}`));
      return;
    }
    this.#options.onOpen(this.#opened);
    this.#opened = true;
    const decoder = new StringDecoder("utf8");
    const parser = createParser({
      maxBufferSize: this.#options.maxEvent,
      onEvent: ({ data }) => {
        this.#failures = 0;
        this.#options.onData(data);
      },
      onError: (error) => error.type === "max-buffer-size-exceeded" && this.#onOverlong(),
    });
    response.on("data", (chunk: Buffer) => !response.destroyed && parser.feed(decoder.write(chunk)));
    response.on("error", () => undefined);
  }

  /** The parser gives up on it, so it is read from a new stream, and what it said from the state. */
  #onOverlong(): void {
    this.#options.onFault(`An event was discarded: the limit is ${this.#options.maxEvent} characters`);
    this.#request?.destroy();
  }

  #onClose(why: string): void {
    this.#request = undefined;
    for (const done of this.#ended.splice(0)) done();
    if (this.#closed) return;
    const wait = ATTEMPTS_MS[this.#failures++];
    if (wait === undefined) return this.#options.onLost(why);
    this.#timer = setTimeout(() => this.#open(), wait);
    this.#timer.unref();
  }
}
