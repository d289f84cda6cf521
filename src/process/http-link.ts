import { LineSplitter } from "../line-splitter.js";
import { parseJson } from "../parse-json.js";
import type { AgentLink, Report } from "./agent-link.js";
import { EventStream } from "./event-stream.js";
import { excerpt } from "./excerpt.js";
import type { HttpAccess } from "./http-access.js";
import { HttpClient } from "./http-client.js";
import { type EncodedRequest, encodeRequest } from "./http-request.js";
import { guardOrphan } from "./orphan-guard.js";

/** How long a child may take to say its address, in milliseconds. */
const START_MS = 60_000;
const EXCERPT = 4_000;

/** Only loopback: whoever can write to stdout must not choose where the password goes. */
const ADDRESS = /\bhttps?:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d{1,5}\b/;

interface HttpLinkOptions {
  /** The child, which leads its process group. */
  readonly pid: number;
  readonly access: HttpAccess;
  /** The largest event, body or line of stdout. */
  readonly maxBytes: number;
  readonly report: Report;
  /** Asks the child to end: a server reads no stdin whose end it could see. */
  readonly terminate: () => void;
  /** The child runs, but can't be talked to. */
  readonly fail: (why: string) => void;
  readonly startMs?: number;
}

/** HTTP that the child serves: requests go out, their answers and the child's events come in. */
export class HttpLink implements AgentLink {
  readonly #options: HttpLinkOptions;
  readonly #splitter: LineSplitter;
  readonly #startTimer: NodeJS.Timeout;
  readonly #guard: ReturnType<typeof guardOrphan>;
  /** Requests from before the stream of events was there: what they set going must be heard. */
  #waiting: EncodedRequest[] | undefined = [];
  #client: HttpClient | undefined;
  #stream: EventStream | undefined;
  #dropped = false;

  constructor(options: HttpLinkOptions) {
    this.#options = options;
    this.#guard = guardOrphan(options.pid);
    const { maxBytes, report, fail, startMs = START_MS } = options;
    const onOverlong = (bytes: number) =>
      report({
        kind: "fault",
        detail: `A line of at least ${bytes} bytes was discarded: the limit is ${maxBytes} bytes`,
      });
    this.#splitter = new LineSplitter({ onLine: (line) => this.#onLine(line), onOverlong }, maxBytes);
    this.#startTimer = setTimeout(
      () => fail(`The program did not say its address within ${startMs / 1000} seconds`),
      startMs,
    ).unref();
  }

  push(chunk: Buffer): void {
    this.#splitter.push(chunk);
  }

  end(): void {
    this.#splitter.end();
  }

  whenRead(done: () => void): void {
    clearTimeout(this.#startTimer);
    if (this.#stream) this.#stream.whenEnded(done);
    else done();
  }

  send(frame: unknown): void {
    const request = encodeRequest(frame);
    if (this.#dropped) return;
    if (this.#waiting) this.#waiting.push(request);
    else this.#ask(request);
  }

  close(): void {
    this.#options.terminate();
  }

  drop(): void {
    this.#dropped = true;
    this.#guard?.kill("SIGKILL");
    clearTimeout(this.#startTimer);
    this.#stream?.drop();
    this.#client?.close();
  }

  /** The first address is the child's; everything else on stdout is talk. */
  #onLine(line: string): void {
    const address = this.#client ? undefined : ADDRESS.exec(line)?.[0];
    if (address !== undefined) return this.#connect(new URL(address));
    if (line.trim() !== "") this.#options.report({ kind: "noise", what: "noise", text: excerpt(line, EXCERPT) });
  }

  #connect(address: URL): void {
    if (this.#dropped) return;
    clearTimeout(this.#startTimer);
    const { access, maxBytes, report, fail } = this.#options;
    this.#client = new HttpClient({ access, address, maxBytes });
    this.#stream = new EventStream({
      access,
      address,
      maxEvent: maxBytes,
      onOpen: (again) => this.#onOpen(again),
      onData: (data) => this.#onData(data),
      onFault: (detail) => report({ kind: "fault", detail }),
      onLost: (why) => fail(`The program's stream of events is lost: ${why}`),
    });
  }

  #onOpen(again: boolean): void {
    this.#options.report({ kind: "frame", frame: { stream: again ? "reopened" : "open" } });
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const request of waiting) this.#ask(request);
  }

  #ask(request: EncodedRequest): void {
    this.#client?.ask(request, (answer) => this.#options.report({ kind: "frame", frame: answer }));
  }

  #onData(data: string): void {
    const frame = parseJson(data);
    if (frame !== undefined) return this.#options.report({ kind: "frame", frame });
    this.#options.report({ kind: "fault", detail: `An event is no JSON: ${excerpt(data, 200)}` });
  }
}
