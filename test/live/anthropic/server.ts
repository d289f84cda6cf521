import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ScriptedModel, SeenRequest } from "../scenario.js";
import { Exchange } from "./exchange.js";
import { Gates } from "./gates.js";
import { IdCounter } from "./ids.js";
import { LaneDealer, type Turn } from "./lanes.js";
import { recallInto } from "./recall.js";
import type { Lanes, MessageResponse } from "./script.js";
import { answerWhole, type MessageAnswer, streamMessage } from "./stream.js";

/** Releases every answer that hangs. Not a name that a script can spell. */
const RELEASE = " release";

/** A Messages API on loopback whose answers are scripted: no clock, no randomness, no model. */
export class AnthropicServer implements ScriptedModel {
  readonly requests: SeenRequest[] = [];
  readonly #gates = new Gates();
  readonly #ids = new IdCounter();
  readonly #dealer: LaneDealer;
  readonly #server: Server;

  private constructor(lanes: Lanes) {
    this.#dealer = new LaneDealer(lanes);
    this.#server = createServer((request, response) => void this.#receive(request, response));
  }

  static async start(lanes: Lanes): Promise<AnthropicServer> {
    const started = new AnthropicServer(lanes);
    await new Promise<void>((resolve, reject) => {
      started.#server.once("error", reject);
      started.#server.listen(0, "127.0.0.1", resolve);
    });
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What went against the script; a scenario fails when there is any. */
  get problems(): readonly string[] {
    return this.#dealer.problems;
  }

  /** Answers that were scripted but never asked for; at the end of a scenario there should be none. */
  get unserved(): readonly string[] {
    return this.#dealer.unserved();
  }

  open(gate: string): void {
    this.#gates.open(gate);
  }

  reached(gate: string): Promise<void> {
    return this.#gates.reached(gate);
  }

  release(): void {
    this.#gates.open(RELEASE);
  }

  /** Stops listening and ends every connection, also those that wait at a gate. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A client that leaves in mid-request or mid-answer is part of many scenarios, never a failure of the server.
    response.on("error", () => undefined);
    const text = await readText(request).catch(() => undefined);
    if (text === undefined) return;
    const path = (request.url ?? "").split("?")[0];
    switch (`${request.method} ${path}`) {
      case "POST /v1/messages":
        return this.#answerMessages(text, response);
      case "POST /v1/messages/count_tokens":
        return new Exchange(response, this.#ids.next("req", "aux")).json(200, { input_tokens: text.length });
      case "GET /v1/models":
        return new Exchange(response, this.#ids.next("req", "aux")).json(200, { data: [], has_more: false });
      default:
        return new Exchange(response, this.#ids.next("req", "aux")).error(404, "not_found_error", `no route: ${path}`);
    }
  }

  async #answerMessages(text: string, response: ServerResponse): Promise<void> {
    const body = parseObject(text);
    if (body === undefined) {
      const exchange = new Exchange(response, this.#ids.next("req", "aux"));
      return exchange.error(400, "invalid_request_error", "the body is not a JSON object");
    }
    const turn = this.#dealer.next(body);
    this.requests.push({ lane: turn.lane, index: turn.index, body });
    await this.#answer(new Exchange(response, this.#ids.next("req", turn.lane)), turn, body);
  }

  async #answer(exchange: Exchange, turn: Turn, body: Readonly<Record<string, unknown>>): Promise<void> {
    const { response } = turn;
    switch (response.kind) {
      case "error":
        return exchange.error(response.status, response.type, response.message, response.headers);
      case "empty":
        exchange.startStream();
        return exchange.end();
      case "hang": {
        // To stand at the gate tells the scenario that the request is here; only `release` lets go of it.
        void this.#gates.pass(response.gate, exchange.left);
        if (await this.#gates.pass(RELEASE, exchange.left)) await exchange.cut();
        return;
      }
      case "message": {
        if (response.gate !== undefined && !(await this.#gates.pass(response.gate, exchange.left))) return;
        const answer = this.#name(turn.lane, this.#recall(turn, response, body), body.model);
        return body.stream === true
          ? streamMessage(exchange, this.#gates, answer)
          : answerWhole(exchange, this.#gates, answer);
      }
    }
  }

  #recall(turn: Turn, scripted: MessageResponse, body: Readonly<Record<string, unknown>>): MessageResponse {
    const { response, missing } = recallInto(scripted, body);
    for (const name of missing) this.#dealer.problems.push(`lane ${turn.lane}: request ${turn.index} has no ${name}`);
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

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
