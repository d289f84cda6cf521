import { AbstractMessageWriter, type Message, type MessageWriter, type ResponseMessage } from "vscode-jsonrpc/node";
import type { AnswerBacklog } from "./answer-backlog.js";
import type { RequestIds } from "./request-ids.js";

/** Writes the answers of one connection, under the ids the client chose. */
export class AnswerWriter extends AbstractMessageWriter implements MessageWriter {
  private readonly afterwards = new WeakMap<object, () => void>();
  private open = true;

  constructor(
    private readonly ids: RequestIds,
    private readonly backlog: AnswerBacklog,
    private readonly onAnswered: () => void,
  ) {
    super();
  }

  /** Does something as soon as this result has been written: nothing can come between the two. */
  after(result: object, action: () => void): void {
    this.afterwards.set(result, action);
  }

  async write(message: Message): Promise<void> {
    const answer = message as ResponseMessage;
    const own = answer.id as number;
    const id = this.ids.original(own);
    // A handler that outlives its connection still answers; nobody is there to hear it.
    if (!this.open || id === undefined) return;
    // A result that is not JSON throws here, before the id is given up: vscode-jsonrpc then answers with that error.
    const text = JSON.stringify({ ...answer, id });
    this.ids.release(own);
    this.backlog.write(text);
    if (answer.result instanceof Object) this.afterwards.get(answer.result)?.();
    this.onAnswered();
  }

  end(): void {
    this.open = false;
  }

  override dispose(): void {
    super.dispose();
    this.end();
  }
}
