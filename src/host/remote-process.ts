import {
  type AgentEvent,
  type AgentListener,
  type AgentProcess,
  type ProcessKey,
  SPAWN_EFFECT,
  type SpawnSpec,
} from "../process/agent-host.js";
import type { Channel } from "../process/channel.js";
import { createChannel } from "../process/channels.js";
import type { AboutProcess, HostEvent, ToHost } from "./messages.js";

export type SendToHost = (message: ToHost, lines?: readonly string[]) => void;

interface RemoteOptions {
  readonly key: ProcessKey;
  readonly channel: SpawnSpec["channel"];
  readonly pid: number | null;
  /** The number of the last event that is known. */
  readonly after: number;
  readonly listener: AgentListener;
  readonly send: SendToHost;
  readonly onExit: () => void;
}

/** A process of the agent host, as a session has it. Lines become frames here. */
export class RemoteProcess implements AgentProcess {
  readonly exited: Promise<void>;
  readonly #options: RemoteOptions;
  readonly #channel: Channel | undefined;
  #pid: number | undefined;
  #seq: number;
  #hasExited = false;
  #resolveExited = () => {};

  constructor(options: RemoteOptions) {
    this.#options = options;
    this.#channel = options.channel === "http" ? undefined : createChannel(options.channel);
    this.#pid = options.pid ?? undefined;
    this.#seq = options.after;
    this.exited = new Promise((resolve) => {
      this.#resolveExited = resolve;
    });
  }

  get epoch(): number {
    return this.#options.key.epoch;
  }

  get pid(): number | undefined {
    return this.#pid;
  }

  send(frame: unknown, effect: number | null = null): void {
    if (this.#channel) return this.#sendLine(this.#channel.encode(frame), effect);
    this.#options.send({ type: "send", key: this.#options.key, effect, frame });
  }

  stop(how: "end" | "kill", effect: number | null = null): void {
    this.#options.send({ type: "stop", key: this.#options.key, effect, how });
  }

  onMessage(message: AboutProcess, lines: readonly string[]): void {
    const { listener } = this.#options;
    switch (message.type) {
      case "started":
        this.#pid = message.pid ?? undefined;
        return listener.onDone?.(SPAWN_EFFECT);
      case "done":
        return listener.onDone?.(message.effect);
      case "stderr":
        return listener.onStderr?.(message.text);
      case "event":
        return this.#onEvent(message.event);
      case "lines":
        return lines.forEach((line, i) => {
          this.#onLine(message.seq + i, message.at, line);
        });
    }
  }

  #onEvent(event: HostEvent): void {
    if (event.seq <= this.#seq) return;
    this.#seq = event.seq;
    this.#deliver(event);
  }

  /** The host is gone, and every process with it. */
  onLost(at: number, error: string): void {
    if (!this.#hasExited) {
      this.#deliver({ seq: this.#seq + 1, at, kind: "exit", code: null, signal: null, stderr: "", error });
    }
  }

  /** A line that holds several frames is known only with its last: until then it would be told again. */
  #onLine(seq: number, at: number, line: string): void {
    if (seq <= this.#seq) return;
    const readings = this.#channel?.read(line) ?? [];
    readings.forEach((reading, i) => {
      if (reading.kind === "answer") this.#sendLine(reading.line, null);
      else this.#deliver({ seq: i === readings.length - 1 ? seq : seq - 1, at, ...reading });
    });
    this.#seq = seq;
  }

  #sendLine(line: string, effect: number | null): void {
    this.#options.send({ type: "send", key: this.#options.key, effect }, [line.slice(0, -1)]);
  }

  #deliver(event: HostEvent): void {
    try {
      this.#options.listener.onEvent({ epoch: this.epoch, ...event } as AgentEvent);
    } catch (error) {
      // As with a child of this process: it must not cost the events behind this one.
      queueMicrotask(() => {
        throw error;
      });
    }
    if (event.kind !== "exit") return;
    this.#hasExited = true;
    this.#options.onExit();
    this.#resolveExited();
  }
}
