import type { Socket } from "node:net";
import type { ProcessKey, SpawnSpec } from "../process/agent-host.js";
import { LocalAgentHost, type LocalAgentHostOptions } from "../process/local-agent-host.js";
import { HostedProcess } from "./hosted-process.js";
import { MessageStream } from "./message-stream.js";
import { type FromHost, HOST_PROTOCOL, nameOf, type ToHost } from "./messages.js";

/** How long a gateway that is told to leave may take, in milliseconds. */
const LEAVE_MS = 10_000;

export interface HostServerOptions extends Pick<LocalAgentHostOptions, "bounds" | "now"> {
  /** How long agents are kept without a gateway, in milliseconds. */
  readonly graceMs: number;
  /** Nothing is left to do. */
  readonly onDone: () => void;
}

type Stream = MessageStream<ToHost, FromHost>;
type Hello = Extract<ToHost, { type: "hello" }>;

interface Gateway {
  readonly pid: number;
  readonly stream: Stream;
  readonly gone: Promise<void>;
}

/** Keeps agents while gateways come and go. One gateway at a time. */
export class HostServer {
  readonly #options: HostServerOptions;
  readonly #processes = new Map<string, HostedProcess>();
  readonly #local: LocalAgentHost;
  #gateway: Gateway | undefined;
  #graceTimer: NodeJS.Timeout | undefined;
  #closing = false;

  constructor(options: HostServerOptions) {
    this.#options = options;
    this.#local = new LocalAgentHost({ ...options, env: {} });
    this.#startGrace();
  }

  accept(socket: Socket): void {
    const stream: Stream = new MessageStream(socket, (message, lines) => {
      if (message.type === "hello") void this.#onHello(message, stream, gone);
      else if (stream === this.#gateway?.stream) this.#onMessage(message, lines);
    });
    const gone = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    void gone.then(() => this.#onGone(stream));
  }

  /** Ends every agent. */
  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#graceTimer);
    await this.#local.close();
    this.#gateway?.stream.send({ type: "closed" });
    this.#gateway?.stream.end();
    this.#options.onDone();
  }

  async #onHello({ pid, takeOver, protocol }: Hello, stream: Stream, gone: Promise<void>): Promise<void> {
    const earlier = this.#gateway;
    // One of another version only asks for the end.
    if (earlier && !takeOver && protocol === HOST_PROTOCOL) return stream.send({ type: "refused", pid: earlier.pid });
    if (earlier) await dismiss(earlier, pid);
    clearTimeout(this.#graceTimer);
    this.#gateway = { pid, stream, gone };
    const processes = [...this.#processes.values()].map(({ key, pid }) => ({ key, pid }));
    stream.send({ type: "welcome", protocol: HOST_PROTOCOL, id: this.#local.id, processes });
  }

  #onGone(stream: Stream): void {
    if (stream !== this.#gateway?.stream) return;
    this.#gateway = undefined;
    for (const hosted of this.#processes.values()) hosted.detach();
    this.#startGrace();
  }

  /** Without agents there is nothing to wait for but the gateway that has just started this host. */
  #startGrace(): void {
    if (this.#closing) return;
    const isNeeded = [...this.#processes.values()].some(({ hasEnded }) => !hasEnded);
    this.#graceTimer = setTimeout(() => void this.close(), isNeeded ? this.#options.graceMs : LEAVE_MS);
  }

  #onMessage(message: Exclude<ToHost, Hello>, lines: readonly string[]): void {
    if (message.type === "close") return void this.close();
    if (message.type === "spawn") return this.#spawn(message);
    const hosted = this.#processes.get(nameOf(message.key));
    if (!hosted) return this.#onUnknown(message);
    switch (message.type) {
      case "attach":
        return hosted.attach(message.after, (told, behind) => this.#tell(told, behind));
      case "send":
        return hosted.send(lines[0] === undefined ? message.frame : { line: lines[0] }, message.effect);
      case "stop":
        return hosted.stop(message.how, message.effect);
      case "acknowledge":
        return hosted.acknowledge(message.seq);
    }
  }

  /** What is asked of a process that is gone needs not be asked again. */
  #onUnknown(message: Exclude<ToHost, Hello | { type: "close" | "spawn" }>): void {
    if ("effect" in message && message.effect !== null) {
      this.#tell({ type: "done", key: message.key, effect: message.effect });
    }
  }

  /** One that runs already was asked for by a gateway that could not remember it. */
  #spawn({ key, spec }: Extract<ToHost, { type: "spawn" }>): void {
    const hosted = this.#processes.get(nameOf(key)) ?? this.#start(key, spec);
    // Whoever starts the next one knows that the last has ended, or does not care.
    for (const earlier of this.#processes.values()) {
      if (earlier.key.owner === key.owner && earlier.key.epoch < key.epoch) earlier.abandon();
    }
    hosted.attach(0, (told, behind) => this.#tell(told, behind));
    this.#tell({ type: "started", key, pid: hosted.pid });
  }

  #start(key: ProcessKey, spec: SpawnSpec): HostedProcess {
    // Lines are read by the gateway, which must read them as JSON in any case.
    const channel = spec.channel === "http" ? spec.channel : ("text" as const);
    const hosted = new HostedProcess({
      key,
      channel: spec.channel,
      start: (listener) => this.#local.spawn({ ...spec, channel }, key, listener),
      onForgotten: () => void this.#processes.delete(nameOf(key)),
    });
    this.#processes.set(nameOf(key), hosted);
    return hosted;
  }

  #tell(message: FromHost, lines?: readonly string[]): void {
    this.#gateway?.stream.send(message, lines);
  }
}

/** Has a gateway leave; one that does not is cut off. */
async function dismiss(gateway: Gateway, pid: number): Promise<void> {
  gateway.stream.send({ type: "replaced", pid });
  const timer = setTimeout(() => gateway.stream.destroy(), LEAVE_MS);
  await gateway.gone;
  clearTimeout(timer);
}
