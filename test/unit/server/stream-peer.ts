import { PassThrough } from "node:stream";
import { pino } from "pino";
import { createServerCore, type ServerCoreOptions } from "../../../src/server/server-core.js";
import { serveStdio } from "../../../src/server/stdio-server.js";
import type { RequestHandler } from "../../../src/session/request-handler.js";
import { FakeStore } from "./fake-store.js";

export interface Answer {
  readonly id?: number | string | null;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> };
  readonly method?: string;
  readonly params?: { readonly subscriptionID: string; readonly events: unknown[] };
}

type Handle = (method: string, params: never) => unknown;

/** The handler of a test as the server calls it. */
export function handlerOf(handle: Handle): RequestHandler {
  return { handle: async (method: string, params: unknown) => handle(method, params as never) } as RequestHandler;
}

/** A client on two streams, served by a whole server over a fake store. */
export class StreamPeer {
  readonly store = new FakeStore();
  readonly input = new PassThrough();
  readonly output: PassThrough;
  readonly done: Promise<void>;
  private text = "";
  private readonly answers: Answer[] = [];
  private wake: () => void = () => {};
  readonly abort = new AbortController();

  constructor(handle: Handle = () => ({}), limits: ServerCoreOptions["limits"] = {}, highWaterMark = 16_384) {
    this.output = new PassThrough({ highWaterMark });
    const core = createServerCore({
      handler: handlerOf(handle),
      store: this.store,
      version: "1.2.3",
      log: pino({ level: "silent" }),
      limits,
    });
    this.done = serveStdio(core, { input: this.input, output: this.output, signal: this.abort.signal });
  }

  /** Begins to read; until then the server's output stays where it is. */
  read(): this {
    this.output.on("data", (chunk: Buffer) => {
      this.text += chunk.toString();
      const lines = this.text.split("\n");
      this.text = lines.pop() ?? "";
      this.answers.push(...lines.map((line) => JSON.parse(line) as Answer));
      this.wake();
    });
    return this;
  }

  send(...messages: unknown[]): void {
    this.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  }

  write(text: string | Buffer): void {
    this.input.write(text);
  }

  request(id: number | string, method: string, params?: object): void {
    this.send({ jsonrpc: "2.0", id, method, params });
  }

  async next(): Promise<Answer> {
    while (this.answers.length === 0) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    return this.answers.shift() as Answer;
  }

  async take(count: number): Promise<Answer[]> {
    const taken: Answer[] = [];
    while (taken.length < count) taken.push(await this.next());
    return taken;
  }

  /** Ends the input and returns what was still answered. */
  async finish(): Promise<Answer[]> {
    this.input.end();
    await this.done;
    return this.answers.splice(0);
  }
}
