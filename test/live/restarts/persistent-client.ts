import { randomBytes } from "node:crypto";
import { idSeed, type Method, makeId, type Params, type Result } from "../../../schemas/index.js";
import { AgentwireError, type Client } from "../../../src/client/index.js";
import type { MortalGateway } from "./mortal-gateway.js";

/**
 * A client that asks again for what a killed gateway has not answered. What makes something gets an id of its own first,
 * so that it is the same one when it is asked for again.
 */
export class PersistentClient {
  readonly #seed = idSeed(Date.now(), randomBytes(3).toString("hex"));
  #made = 0;

  constructor(
    private readonly client: Client,
    private readonly gateway: MortalGateway,
  ) {}

  async call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
    const named = { ...params, ...this.#idFor(method, params) };
    const cuts = { count: 0 };
    try {
      return await this.#insist(method, named, cuts);
    } catch (error) {
      if (cuts.count === 0 || kindOf(error) !== "conflict" || !("id" in named)) throw error;
      // Made by a gateway that was killed before it could say so.
      return (await this.#insist("session.get", { sessionID: String(named.id) }, cuts)) as Result<M>;
    }
  }

  /** It is a conflict to send one again that was taken. */
  async reply(params: Params<"block.reply">): Promise<void> {
    const cuts = { count: 0 };
    try {
      await this.#insist("block.reply", params, cuts);
    } catch (error) {
      if (cuts.count === 0 || kindOf(error) !== "conflict") throw error;
    }
  }

  async #insist<M extends Method>(method: M, params: Params<M>, cuts: { count: number }): Promise<Result<M>> {
    for (;;) {
      try {
        await this.gateway.restarted;
        return await this.client.call(method, params);
      } catch (error) {
        if (!(error instanceof AgentwireError) || !error.isTemporary) throw error;
        cuts.count += 1;
      }
    }
  }

  #idFor(method: Method, params: object): object {
    switch (method) {
      case "session.create":
      case "session.fork":
        return "id" in params ? {} : { id: this.#nextID("ses") };
      case "session.prompt":
      case "session.compact":
      case "session.review":
        return "messageID" in params ? {} : { messageID: this.#nextID("msg") };
      default:
        return {};
    }
  }

  #nextID(prefix: "ses" | "msg"): string {
    this.#made += 1;
    return makeId(prefix, this.#seed, this.#made);
  }
}

export function kindOf(error: unknown): string | undefined {
  return error instanceof AgentwireError ? error.kind : undefined;
}
