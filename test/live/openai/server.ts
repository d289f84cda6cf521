import { Exchange } from "../model-server/exchange.js";
import { IdCounter } from "../model-server/ids.js";
import { LaneDealer, type Turn } from "../model-server/lane-dealer.js";
import { parseObject, type Received, ScriptedServer } from "../model-server/scripted-server.js";
import { laneOf } from "./lanes.js";
import { type Lanes, type OutputResponse, type ScriptedItem, type ScriptedResponse, say } from "./script.js";
import { streamOutput } from "./stream.js";

const PREFIXES: Record<ScriptedItem["type"], string> = {
  text: "msg",
  reasoning: "rs",
  call: "call",
  custom: "call",
  raw: "raw",
};

/** The Responses API. */
export class OpenaiServer extends ScriptedServer {
  protected readonly dealer: LaneDealer<ScriptedResponse>;
  readonly #ids = new IdCounter();

  private constructor(lanes: Lanes) {
    super();
    this.dealer = new LaneDealer<ScriptedResponse>({ lanes, laneOf, say, aux: say("ok") });
  }

  static start(lanes: Lanes): Promise<OpenaiServer> {
    return new OpenaiServer(lanes).listen();
  }

  protected answer({ route, text, response }: Received): void | Promise<void> {
    const exchange = new Exchange(response, this.#ids.next("req", "main"));
    if (route !== "POST /v1/responses") return exchange.json(404, { error: { message: `no route: ${route}` } });
    const body = parseObject(text);
    if (body === undefined) return exchange.json(400, { error: { message: "the body is not a JSON object" } });
    const turn = this.dealer.next(body);
    this.requests.push({ lane: turn.lane, index: turn.index, body });
    return this.#answer(exchange, turn);
  }

  async #answer(exchange: Exchange, { lane, response }: Turn<ScriptedResponse>): Promise<void> {
    switch (response.kind) {
      case "error":
        return exchange.json(response.status, { error: response.error });
      case "empty":
        exchange.startStream();
        return exchange.end();
      case "hang":
        return this.hang(exchange, response.gate);
      case "output":
        if (response.gate !== undefined && !(await this.gates.pass(response.gate, exchange.left))) return;
        return streamOutput(exchange, this.gates, this.#name(lane, response));
    }
  }

  #name(lane: string, response: OutputResponse) {
    const ids = response.items.map((item) => item.id ?? this.#ids.next(PREFIXES[item.type], lane));
    return { id: this.#ids.next("resp", lane), response, ids };
  }
}
