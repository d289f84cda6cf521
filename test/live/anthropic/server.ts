import { Exchange } from "../model-server/exchange.js";
import { IdCounter } from "../model-server/ids.js";
import { LaneDealer, type Turn } from "../model-server/lane-dealer.js";
import { parseObject, type Received, ScriptedServer } from "../model-server/scripted-server.js";
import { laneOf } from "./lanes.js";
import { recallInto } from "./recall.js";
import { type Lanes, type MessageResponse, type ScriptedResponse, say } from "./script.js";
import { answerWhole, type MessageAnswer, streamMessage } from "./stream.js";

/** The Messages API. */
export class AnthropicServer extends ScriptedServer {
  protected readonly dealer: LaneDealer<ScriptedResponse>;
  readonly #ids = new IdCounter();

  private constructor(lanes: Lanes, aux: ScriptedResponse) {
    super();
    this.dealer = new LaneDealer<ScriptedResponse>({ lanes, laneOf, say, aux });
  }

  static start(lanes: Lanes, aux: ScriptedResponse = say("ok")): Promise<AnthropicServer> {
    return new AnthropicServer(lanes, aux).listen();
  }

  protected answer({ route, text, response }: Received): void | Promise<void> {
    if (route === "POST /v1/messages") {
      const body = parseObject(text);
      if (body !== undefined) return this.#answerMessages(body, response);
    }
    const exchange = new Exchange(response, this.#ids.next("req", "aux"));
    switch (route) {
      case "POST /v1/messages":
        return exchange.error(400, "invalid_request_error", "the body is not a JSON object");
      case "POST /v1/messages/count_tokens":
        return exchange.json(200, { input_tokens: text.length });
      case "GET /v1/models":
        return exchange.json(200, { data: [], has_more: false });
      default:
        return exchange.error(404, "not_found_error", `no route: ${route}`);
    }
  }

  #answerMessages(body: Readonly<Record<string, unknown>>, response: Received["response"]): Promise<void> {
    const turn = this.dealer.next(body);
    this.requests.push({ lane: turn.lane, index: turn.index, body });
    return this.#answer(new Exchange(response, this.#ids.next("req", turn.lane)), turn, body);
  }

  async #answer(
    exchange: Exchange,
    turn: Turn<ScriptedResponse>,
    body: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const { response } = turn;
    switch (response.kind) {
      case "error":
        return exchange.error(response.status, response.type, response.message, response.headers);
      case "empty":
        exchange.startStream();
        return exchange.end();
      case "hang":
        return this.hang(exchange, response.gate);
      case "message": {
        if (response.gate !== undefined && !(await this.gates.pass(response.gate, exchange.left))) return;
        const answer = this.#name(turn.lane, this.#recall(turn, response, body), body.model);
        return body.stream === true
          ? streamMessage(exchange, this.gates, answer)
          : answerWhole(exchange, this.gates, answer);
      }
    }
  }

  #recall(
    turn: Turn<ScriptedResponse>,
    scripted: MessageResponse,
    body: Readonly<Record<string, unknown>>,
  ): MessageResponse {
    const { response, missing } = recallInto(scripted, body);
    for (const name of missing) this.dealer.problems.push(`lane ${turn.lane}: request ${turn.index} has no ${name}`);
    return response;
  }

  #name(lane: string, response: MessageResponse, model: unknown): MessageAnswer {
    const blocks = response.blocks.map((block) => {
      const toolID = block.type === "tool_use" ? (block.id ?? this.#ids.next("toolu", lane)) : "";
      return { ...block, toolID };
    });
    return { id: this.#ids.next("msg", lane), model, response, blocks };
  }
}
