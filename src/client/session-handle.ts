import type { Block, Method, Params, PromptPart, Result } from "../../schemas/index.js";
import type { BlockedListener } from "./blocked-watch.js";
import type { Client } from "./client.js";
import type { EventsOptions, Subscription } from "./subscription.js";

/** How a block is answered: a decision for a permission, or all that `block.reply` takes. */
export type BlockAnswer = NonNullable<Params<"block.reply">["decision"]> | Omit<Params<"block.reply">, "blockID">;

export type PromptOptions = Omit<Params<"session.prompt">, "sessionID" | "parts">;

type SessionMethod = {
  [M in Method]: Params<M> extends { sessionID: string } ? M : never;
}[Method];

/** One session of a gateway. It holds nothing: any number may stand for the same session. */
export class SessionHandle {
  constructor(
    private readonly client: Client,
    readonly id: string,
  ) {}

  /** Any request about this session. */
  call<M extends SessionMethod>(method: M, params?: Omit<Params<M>, "sessionID">): Promise<Result<M>> {
    return this.client.call(method, { ...params, sessionID: this.id } as Params<M>);
  }

  /** Answers when the prompt is stored; the turn goes on without the client. */
  prompt(prompt: string | readonly PromptPart[], options: PromptOptions = {}): Promise<Result<"session.prompt">> {
    const parts = typeof prompt === "string" ? [{ type: "text" as const, text: prompt }] : [...prompt];
    return this.call("session.prompt", { ...options, parts });
  }

  abort(): Promise<Result<"session.abort">> {
    return this.call("session.abort");
  }

  reply(block: string | Pick<Block, "id">, answer: BlockAnswer): Promise<Result<"block.reply">> {
    const blockID = typeof block === "string" ? block : block.id;
    return this.client.call("block.reply", {
      blockID,
      ...(typeof answer === "string" ? { decision: answer } : answer),
    });
  }

  /** The events of this session and its children, from now on or as `options` say. */
  events(options: Omit<EventsOptions, "sessionID"> = {}): Subscription {
    return this.client.events({ ...options, sessionID: this.id });
  }

  /** Hears every tool of this session and its children that waits, also those that wait already. Returns the way to stop. */
  onBlocked(listener: BlockedListener): () => void {
    return this.client.onBlocked(listener, this.id);
  }
}
