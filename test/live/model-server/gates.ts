interface Gate {
  readonly opened: PromiseWithResolver;
  readonly reached: PromiseWithResolver;
}

interface PromiseWithResolver {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

/**
 * Named places where an answer waits. They stand where a test would else sleep: the scenario learns that the answer
 * is there, does what it wants to happen in between, and opens the gate. An opened gate stays open.
 */
export class Gates {
  readonly #gates = new Map<string, Gate>();

  open(name: string): void {
    this.#gate(name).opened.resolve();
  }

  reached(name: string): Promise<void> {
    return this.#gate(name).reached.promise;
  }

  /** Stands at the gate until it is opened or the client has left; tells whether to go on. */
  async pass(name: string, left: AbortSignal): Promise<boolean> {
    const gate = this.#gate(name);
    gate.reached.resolve();
    await Promise.race([gate.opened.promise, aborted(left)]);
    return !left.aborted;
  }

  #gate(name: string): Gate {
    const known = this.#gates.get(name);
    if (known) return known;
    const gate = { opened: withResolver(), reached: withResolver() };
    this.#gates.set(name, gate);
    return gate;
  }
}

export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

function withResolver(): PromiseWithResolver {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
