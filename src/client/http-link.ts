import type { EventBatch, Method, Params, Problem, Result, StreamClosed } from "../../schemas/index.js";
import { AgentwireError, connectionError } from "./client-error.js";
import { httpRequest } from "./http-request.js";
import type { Link, Sink } from "./link.js";
import { originHint } from "./origin-hint.js";
import { type SseMessage, SseParser } from "./sse-parser.js";
import { Watchdog } from "./watchdog.js";

export interface HttpLinkOptions {
  /** As `http://host:port`. */
  readonly url: string;
  readonly token: string | undefined;
  readonly fetch: typeof fetch;
}

/** A gateway over HTTP, whose events are read from a stream by `fetch`: `EventSource` could not send the token. */
export class HttpLink implements Link {
  private readonly closing = new AbortController();

  constructor(private readonly options: HttpLinkOptions) {}

  async call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
    const response = await this.send(method, params, this.closing.signal);
    try {
      return (await response.json()) as Result<M>;
    } catch (cause) {
      throw this.errorOf(cause);
    }
  }

  async subscribe(params: Params<"events.subscribe">, sink: Sink): Promise<() => void> {
    const stream = new AbortController();
    const abort = (): void => stream.abort();
    let wasEnded = false;
    const end = (): void => {
      wasEnded = true;
      abort();
    };
    this.closing.signal.addEventListener("abort", abort);
    const response = await this.send("events.subscribe", params, stream.signal);
    return new Promise((resolve, reject) => {
      const opened: Sink["opened"] = (result) => {
        sink.opened(result);
        resolve(end);
      };
      void this.read(response, { ...sink, opened }, abort).then((error) => {
        this.closing.signal.removeEventListener("abort", abort);
        // Of no effect once it was opened.
        reject(error);
        if (!wasEnded) sink.lost(error);
      });
    });
  }

  close(): void {
    this.closing.abort();
  }

  /** Reads to the end; resolves with why it ended. */
  private async read(response: Response, sink: Sink, abort: () => void): Promise<AgentwireError> {
    let reason = "the stream ended";
    const parser = new SseParser((message) => {
      reason = deliver(message, sink) ?? reason;
    });
    const watchdog = new Watchdog(() => {}, abort);
    try {
      const reader = response.body?.getReader();
      const decoder = new TextDecoder();
      for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
        watchdog.heard();
        parser.push(decoder.decode(chunk.value, { stream: true }));
      }
      return connectionError(reason);
    } catch (cause) {
      return this.errorOf(cause);
    } finally {
      watchdog.stop();
    }
  }

  private async send<M extends Method>(method: M, params: Params<M>, signal: AbortSignal): Promise<Response> {
    const { target, body, ...request } = httpRequest(method, params);
    const { url, token, fetch } = this.options;
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    let response: Response;
    try {
      response = await fetch(url + target, { ...request, ...(body !== undefined && { body }), headers, signal });
    } catch (cause) {
      throw this.errorOf(cause, originHint(url));
    }
    if (response.ok) return response;
    throw await problemError(response);
  }

  private errorOf(cause: unknown, hint?: string): AgentwireError {
    if (this.closing.signal.aborted) return new AgentwireError("closed", "The client was closed");
    return connectionError(cause, hint);
  }
}

/** Hands a message on; returns why the gateway ends the stream, if it says so. */
function deliver({ event, data }: SseMessage, sink: Sink): string | undefined {
  switch (event) {
    case "subscribed":
      sink.opened(JSON.parse(data) as Result<"events.subscribe">);
      return undefined;
    case "message":
      sink.batch(JSON.parse(data) as EventBatch);
      return undefined;
    case "closed":
      return (JSON.parse(data) as StreamClosed).reason;
    default:
      return undefined;
  }
}

/** What is not a problem of the gateway was said by something that stands before it. */
async function problemError(response: Response): Promise<AgentwireError> {
  try {
    const problem = (await response.json()) as Problem;
    if (problem.kind) return new AgentwireError(problem.kind, problem.detail, problem);
  } catch {}
  return connectionError(`HTTP status ${response.status}`);
}
