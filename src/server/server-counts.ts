import type { Socket } from "node:net";
import { type ErrorKind, METHODS } from "../../schemas/index.js";
import { Histogram } from "../histogram.js";

/** In seconds. Most requests take a millisecond; an abort waits for its turn. */
const DURATIONS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];
/** Clients may make up any number of names. */
const UNKNOWN_METHOD = "unknown";

export type Outcome = ErrorKind | "ok";

export interface MethodCounts {
  readonly outcomes: Map<Outcome, number>;
  readonly seconds: Histogram;
}

/** What the clients of a gateway asked for since it started, over all transports. */
export class ServerCounts {
  readonly methods = new Map<string, MethodCounts>();
  /** Clients that were not let in, by why. */
  readonly refusals = new Map<ErrorKind, number>();
  readonly traffic = new Traffic();
  #requests = 0;
  #connections = 0;

  nextRequest(): number {
    return ++this.#requests;
  }

  nextConnection(): number {
    return ++this.#connections;
  }

  countRequest(name: string, kind: Outcome, seconds: number): void {
    const method = Object.hasOwn(METHODS, name) ? name : UNKNOWN_METHOD;
    const counts = this.methods.get(method) ?? { outcomes: new Map(), seconds: new Histogram(DURATIONS) };
    this.methods.set(method, counts);
    addOne(counts.outcomes, kind);
    counts.seconds.observe(seconds);
  }

  countRefusal(kind: ErrorKind): void {
    addOne(this.refusals, kind);
  }
}

/** The bytes of all network connections: sockets count them by themselves. */
class Traffic {
  readonly #open = new Set<Socket>();
  #sent = 0;
  #received = 0;

  watch(socket: Socket): void {
    this.#open.add(socket);
    socket.once("close", () => {
      this.#open.delete(socket);
      this.#sent += socket.bytesWritten;
      this.#received += socket.bytesRead;
    });
  }

  get connections(): number {
    return this.#open.size;
  }

  get sentBytes(): number {
    return [...this.#open].reduce((sum, { bytesWritten }) => sum + bytesWritten, this.#sent);
  }

  get receivedBytes(): number {
    return [...this.#open].reduce((sum, { bytesRead }) => sum + bytesRead, this.#received);
  }
}

function addOne<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
