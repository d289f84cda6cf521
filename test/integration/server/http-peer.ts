import { once } from "node:events";
import { type IncomingMessage, type RequestOptions, request } from "node:http";
import { type Method, pathParams, ROUTES, takesBody } from "../../../schemas/index.js";
import type { WireClient } from "../../unit/server/wire-client.js";
import { SseStream } from "./sse-stream.js";
import { TOKEN } from "./wire-peer.js";

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  readonly body: Record<string, unknown>;
}

export interface Ask {
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  /** The connection to use, when it must be told apart. */
  readonly agent?: RequestOptions["agent"];
}

/** A client over plain HTTP, at a port or on a unix socket. */
export class HttpPeer {
  private readonly streams: SseStream[] = [];

  constructor(
    private readonly to: Pick<RequestOptions, "port" | "socketPath">,
    private readonly token: string | undefined = TOKEN,
  ) {}

  async ask(verb: string, path: string, ask: Ask = {}): Promise<HttpAnswer> {
    const response = await this.send(verb, path, ask);
    let text = "";
    for await (const chunk of response.setEncoding("utf8")) text += String(chunk);
    const isJson = text !== "" && /json/.test(response.headers["content-type"] ?? "");
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      text,
      body: isJson ? (JSON.parse(text) as HttpAnswer["body"]) : {},
    };
  }

  /** A request of `METHODS`, as its route says. */
  async call(method: Method, params: Record<string, unknown> = {}): Promise<HttpAnswer> {
    const { verb, path, rest } = this.place(method, params);
    const body = JSON.stringify(rest);
    if (takesBody(verb)) return this.ask(verb, path, { headers: { "content-type": "application/json" }, body });
    return this.ask(verb, path + queryOf(rest));
  }

  async subscribe(
    params: Record<string, unknown> = {},
    headers: Record<string, string> = {},
    client?: WireClient,
  ): Promise<SseStream> {
    const response = await this.send("GET", ROUTES["events.subscribe"].path + queryOf(params), { headers });
    const stream = new SseStream(response, client);
    this.streams.push(stream);
    return stream;
  }

  close(): void {
    for (const stream of this.streams) stream.close();
  }

  private async send(verb: string, path: string, { headers, body, agent = false }: Ask): Promise<IncomingMessage> {
    const authorization = this.token === undefined ? {} : { authorization: `Bearer ${this.token}` };
    const asked = request({ ...this.to, method: verb, path, headers: { ...authorization, ...headers }, agent });
    asked.end(body);
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    // A server that gives the connection up is no error of the test.
    asked.on("error", () => {});
    return response;
  }

  private place(method: Method, params: Record<string, unknown>) {
    const { verb, path } = ROUTES[method];
    const names = pathParams(path);
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
    const rest = Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)));
    return { verb, path: filled, rest };
  }
}

function queryOf(params: Record<string, unknown>): string {
  const query = new URLSearchParams(
    Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return query.size === 0 ? "" : `?${query}`;
}
