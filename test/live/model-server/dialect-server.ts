import type { Dialect, NamedAnswer } from "./dialect.js";
import { streamAnswer } from "./dialect-stream.js";
import { Exchange } from "./exchange.js";
import { IdCounter } from "./ids.js";
import { LaneDealer, type Turn } from "./lane-dealer.js";
import { type Lanes, type PartsAnswer, type ScriptedAnswer, say } from "./script.js";
import { parseObject, type Received, ScriptedServer } from "./scripted-server.js";

/** Serves a script as the API that a dialect describes. */
export class DialectServer extends ScriptedServer {
  protected readonly dealer: LaneDealer<ScriptedAnswer>;
  readonly #ids = new IdCounter();

  private constructor(
    private readonly dialect: Dialect,
    lanes: Lanes,
  ) {
    super();
    this.dealer = new LaneDealer<ScriptedAnswer>({ lanes, laneOf: dialect.laneOf, say, aux: say("ok") });
  }

  static start(dialect: Dialect, lanes: Lanes): Promise<DialectServer> {
    return new DialectServer(dialect, lanes).listen();
  }

  protected answer({ route, text, response }: Received): void | Promise<void> {
    const body = parseObject(text);
    const wanted = body && this.dialect.asks(route, body);
    if (wanted === undefined) return this.#answerOther(new Exchange(response, this.#ids.next("req", "aux")), route);
    const turn = this.dealer.next(body ?? {});
    this.requests.push({ lane: turn.lane, index: turn.index, body: body ?? {} });
    const exchange = new Exchange(response, this.#ids.next("req", turn.lane));
    return this.#answer(exchange, turn, { wanted, model: this.dialect.modelOf(route, body ?? {}) });
  }

  #answerOther(exchange: Exchange, route: string): void {
    const body = this.dialect.other(route);
    if (body !== undefined) return exchange.json(200, body);
    exchange.json(404, this.dialect.error({ status: 404, message: `no route, or no JSON object: ${route}` }));
  }

  async #answer(
    exchange: Exchange,
    { lane, response }: Turn<ScriptedAnswer>,
    { wanted, model }: { readonly wanted: "stream" | "whole"; readonly model: string },
  ): Promise<void> {
    switch (response.kind) {
      case "error":
        return exchange.json(response.status, this.dialect.error(response));
      case "empty":
        exchange.startStream();
        return exchange.end();
      case "hang":
        return this.hang(exchange, response.gate);
      case "parts": {
        if (response.gate !== undefined && !(await this.gates.pass(response.gate, exchange.left))) return;
        const named = this.#name(lane, response, model);
        if (wanted === "whole") return exchange.json(200, this.dialect.whole(named));
        return streamAnswer(exchange, this.gates, this.dialect, named);
      }
    }
  }

  #name(lane: string, response: PartsAnswer, model: string): NamedAnswer {
    let calls = 0;
    const parts = response.parts.map((part) => {
      if (part.type !== "call") return { ...part, callID: "", callIndex: 0 };
      return { ...part, callID: this.#ids.next("call", lane), callIndex: calls++ };
    });
    return { ...response, id: this.#ids.next("resp", lane), model, parts };
  }
}
