import { Agent, type IncomingMessage, request } from "node:http";
import type { HttpFrame } from "../../adapters/contract.js";
import { parseJson } from "../parse-json.js";
import type { HttpAccess } from "./http-access.js";
import type { EncodedRequest } from "./http-request.js";

/** More requests than this wait for each other: a program that answers none must not cost a socket for each. */
const MAX_SOCKETS = 32;

interface HttpClientOptions {
  readonly access: HttpAccess;
  readonly address: URL;
  /** The largest body that is read, in bytes. */
  readonly maxBytes: number;
}

type HttpAnswer = Exclude<HttpFrame, { readonly stream: unknown }>;
type Outcome = { readonly status: number; readonly body: unknown } | { readonly failure: string };

/** Asks the child. Requests are begun in their order; each has exactly one answer, whatever happens. */
export class HttpClient {
  readonly #options: HttpClientOptions;
  // Each has a connection of its own: one that is kept may be closed by the server at the moment it is used again.
  readonly #agent = new Agent({ keepAlive: false, maxSockets: MAX_SOCKETS });

  constructor(options: HttpClientOptions) {
    this.#options = options;
  }

  ask({ token, method, path, body }: EncodedRequest, onAnswer: (answer: HttpAnswer) => void): void {
    const { access, address } = this.#options;
    let answered = false;
    const answer = (outcome: Outcome) => {
      if (!answered) onAnswer({ token, ...outcome });
      answered = true;
    };
    const headers = {
      authorization: access.authorization,
      accept: "application/json",
      ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
    };
    const sent = request(new URL(path, address), { method, headers, agent: this.#agent });
    sent.on("response", (response) => this.#read(response, answer));
    sent.on("error", (error) => answer({ failure: error.message }));
    sent.end(body);
  }

  /** Ends what is still asked. */
  close(): void {
    this.#agent.destroy();
  }

  #read(response: IncomingMessage, answer: (outcome: Outcome) => void): void {
    const { maxBytes } = this.#options;
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) return void chunks.push(chunk);
      answer({ failure: `the body is larger than ${maxBytes} bytes` });
      response.destroy();
    });
    response.on("end", () => answer({ status: response.statusCode ?? 0, body: bodyOf(Buffer.concat(chunks)) }));
    response.on("error", (error) => answer({ failure: error.message }));
    response.on("close", () => answer({ failure: "the answer was cut off" }));
  }
}

function bodyOf(bytes: Buffer): unknown {
  if (bytes.length === 0) return null;
  const text = bytes.toString("utf8");
  return parseJson(text) ?? (text.trim() === "null" ? null : text);
}
