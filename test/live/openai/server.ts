import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Exchange } from "../anthropic/exchange.js";
import { Gates } from "../anthropic/gates.js";
import type { ModelServer } from "../live-agent.js";
import type { SeenRequest } from "../scenario.js";
import { LaneDealer, type Turn } from "./lanes.js";
import type { Lanes, OutputResponse, ScriptedItem } from "./script.js";
import { streamOutput } from "./stream.js";

/** Releases every answer that hangs. Not a name that a script can spell. */
const RELEASE = " release";
const PREFIXES: Record<ScriptedItem["type"], string> = {
  text: "msg",
  reasoning: "rs",
  call: "call",
  custom: "call",
  raw: "raw",
};

/** A Responses API on loopback whose answers are scripted: no clock, no randomness, no model. */
export class OpenaiServer implements ModelServer {
  readonly requests: SeenRequest[] = [];
  readonly #gates = new Gates();
  readonly #counts = new Map<string, number>();
  readonly #dealer: LaneDealer;
  readonly #server: Server;

  private constructor(lanes: Lanes) {
    this.#dealer = new LaneDealer(lanes);
    this.#server = createServer((request, response) => void this.#receive(request, response));
  }

  static async start(lanes: Lanes): Promise<OpenaiServer> {
    const started = new OpenaiServer(lanes);
    await new Promise<void>((resolve, reject) => {
      started.#server.once("error", reject);
      started.#server.listen(0, "127.0.0.1", resolve);
    });
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get problems(): readonly string[] {
    return this.#dealer.problems;
  }

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
    const exchange = new Exchange(response, this.#next("req", "main"));
    if (`${request.method} ${path}` !== "POST /v1/responses") {
      return exchange.json(404, { error: { message: `no route: ${path}` } });
    }
    const body = parseObject(text);
    if (body === undefined) return exchange.json(400, { error: { message: "the body is not a JSON object" } });
    const turn = this.#dealer.next(body);
    this.requests.push({ lane: turn.lane, index: turn.index, body });
    await this.#answer(exchange, turn);
  }

  async #answer(exchange: Exchange, { lane, response }: Turn): Promise<void> {
    switch (response.kind) {
      case "error":
        return exchange.json(response.status, { error: response.error });
      case "empty":
        exchange.startStream();
        return exchange.end();
      case "hang":
        // To stand at the gate tells the scenario that the request is here; only `release` lets go of it.
        void this.#gates.pass(response.gate, exchange.left);
        if (await this.#gates.pass(RELEASE, exchange.left)) await exchange.cut();
        return;
      case "output":
        if (response.gate !== undefined && !(await this.#gates.pass(response.gate, exchange.left))) return;
        return streamOutput(exchange, this.#gates, this.#name(lane, response));
    }
  }

  #name(lane: string, response: OutputResponse) {
    const ids = response.items.map((item) => item.id ?? this.#next(PREFIXES[item.type], lane));
    return { id: this.#next("resp", lane), response, ids };
  }

  /** Ids that count: `msg_0001`. Other lanes than `main` carry their name, for they come when they like. */
  #next(kind: string, lane: string): string {
    const prefix = lane === "main" ? kind : `${kind}_${lane}`;
    const number = (this.#counts.get(prefix) ?? 0) + 1;
    this.#counts.set(prefix, number);
    return `${prefix}_${String(number).padStart(4, "0")}`;
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
