import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ModelServer } from "../live-agent.js";
import type { SeenRequest } from "../scenario.js";
import type { Exchange } from "./exchange.js";
import { Gates } from "./gates.js";

/** Releases every answer that hangs. Not a name that a script can spell. */
const RELEASE = " release";

/** What went against a script, and what of it is left. */
interface Dealer {
  readonly problems: string[];
  unserved(): readonly string[];
}

/** A request as it came. */
export interface Received {
  /** The method and path: `POST /v1/messages`. */
  readonly route: string;
  readonly text: string;
  readonly response: ServerResponse;
}

/** A model's API on loopback whose answers are scripted: no clock, no randomness, no model. What it speaks is a subclass's. */
export abstract class ScriptedServer implements ModelServer {
  readonly requests: SeenRequest[] = [];
  protected readonly gates = new Gates();
  protected abstract readonly dealer: Dealer;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => void this.#receive(request, response));
  }

  protected abstract answer(received: Received): void | Promise<void>;

  /** Resolves when it listens. */
  async listen(): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(0, "127.0.0.1", resolve);
    });
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get problems(): readonly string[] {
    return this.dealer.problems;
  }

  get unserved(): readonly string[] {
    return this.dealer.unserved();
  }

  open(gate: string): void {
    this.gates.open(gate);
  }

  reached(gate: string): Promise<void> {
    return this.gates.reached(gate);
  }

  release(): void {
    this.gates.open(RELEASE);
  }

  /** Stops listening and ends every connection, also those that wait at a gate. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  /** To stand at the gate tells the scenario that the request is here; only `release` lets go of it. */
  protected async hang(exchange: Exchange, gate: string): Promise<void> {
    void this.gates.pass(gate, exchange.left);
    if (await this.gates.pass(RELEASE, exchange.left)) await exchange.cut();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A client that leaves in mid-request or mid-answer is part of many scenarios, never a failure of the server.
    response.on("error", () => undefined);
    const text = await readText(request).catch(() => undefined);
    if (text === undefined) return;
    const path = (request.url ?? "").split("?")[0];
    await this.answer({ route: `${request.method} ${path}`, text, response });
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** The body of a request; undefined when it is no JSON object. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
