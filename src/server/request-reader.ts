import type { Logger } from "pino";
import { AbstractMessageReader, type DataCallback, type Disposable } from "vscode-jsonrpc/node";
import type { GatewayError } from "../gateway-error.js";
import type { AnswerBacklog } from "./answer-backlog.js";
import { errorAnswer } from "./error-answer.js";
import type { Inlet } from "./inlet.js";
import { readMessage } from "./read-message.js";
import type { RequestIds } from "./request-ids.js";

export interface RequestReaderOptions {
  readonly inlet: Inlet;
  readonly ids: RequestIds;
  readonly backlog: AnswerBacklog;
  readonly maxInFlight: number;
  readonly log: Logger;
  /** The client says no more, and every request it sent has been handed over. */
  readonly onEnded: () => void;
  readonly onGone: () => void;
}

/**
 * Reads one client's requests: only well-formed requests reach vscode-jsonrpc (which would drop the rest in silence, and
 * throws at a `$/cancelRequest` without params), and no more of them than the client takes answers to.
 */
export class RequestReader extends AbstractMessageReader {
  private readonly waiting: string[] = [];
  private callback: DataCallback | undefined;
  private paused = false;
  private ended = false;

  constructor(private readonly options: RequestReaderOptions) {
    super();
  }

  override listen(callback: DataCallback): Disposable {
    this.callback = callback;
    const { inlet, onGone } = this.options;
    inlet.start({
      frame: (text) => {
        this.waiting.push(text);
        this.pump();
      },
      refused: (error) => this.refuse(null, error),
      ended: () => {
        this.ended = true;
        this.pump();
      },
      gone: onGone,
    });
    return { dispose: () => this.dispose() };
  }

  override dispose(): void {
    super.dispose();
    this.callback = undefined;
    this.waiting.length = 0;
    this.options.inlet.stop();
  }

  /** Whether this side holds the client back while it has nothing of ours to read. */
  get holdsBack(): boolean {
    return this.paused && !this.options.backlog.full;
  }

  /** Hands over what may be handed over now: to be called when an answer was written and when the outlet drains. */
  pump(): void {
    while (this.callback && this.waiting.length > 0 && this.mayRead) this.read(this.waiting.shift() ?? "");
    if (!this.callback) return;
    this.setPaused(this.waiting.length > 0 || !this.mayRead);
    if (this.ended && this.waiting.length === 0) this.options.onEnded();
  }

  private get mayRead(): boolean {
    return this.options.ids.size < this.options.maxInFlight && !this.options.backlog.full;
  }

  private setPaused(paused: boolean): void {
    if (paused === this.paused) return;
    this.paused = paused;
    if (paused) this.options.inlet.pause();
    else this.options.inlet.resume();
  }

  private read(text: string): void {
    const message = readMessage(text);
    if (message.kind === "malformed") return this.refuse(message.id, message.error);
    if (message.kind === "ignored") return this.options.log.debug({ reason: message.reason }, "a message was ignored");
    this.callback?.({ ...message.request, id: this.options.ids.take(message.request.id) } as never);
  }

  private refuse(id: number | string | null, error: GatewayError): void {
    this.options.backlog.write(errorAnswer(id, error));
  }
}
