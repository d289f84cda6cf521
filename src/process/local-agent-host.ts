import { randomUUID } from "node:crypto";
import {
  type AgentHost,
  type AgentListener,
  type LocalProcess,
  type ProcessKey,
  SPAWN_EFFECT,
  type SpawnSpec,
} from "./agent-host.js";
import { AgentReporter } from "./agent-reporter.js";
import type { Variables } from "./environment.js";
import { FailedAgent } from "./failed-agent.js";
import { DEFAULT_BOUNDS, type LadderBounds } from "./kill-ladder.js";
import { type SpawnContext, spawnAgent } from "./spawn-agent.js";

export interface LocalAgentHostOptions {
  /** Milliseconds since the epoch; stamps every event. */
  readonly now?: () => number;
  /** The environment that agents inherit from. */
  readonly env?: Variables;
  readonly bounds?: Partial<LadderBounds>;
  readonly exitWaitMs?: number;
  /**
   * Gets what a listener threw, after the frames that were read with it. By default it is thrown again there, as an
   * uncaught exception: a listener's error is a bug, and no bug of one session may cost another's frames.
   */
  readonly onListenerError?: (error: unknown) => void;
}

/** Runs agents as children of this process. */
export class LocalAgentHost implements AgentHost {
  readonly id = randomUUID();
  readonly #context: Omit<SpawnContext, "epoch">;
  readonly #running = new Set<LocalProcess>();
  #closed = false;

  constructor(options: LocalAgentHostOptions = {}) {
    this.#context = {
      now: options.now ?? Date.now,
      env: options.env ?? process.env,
      bounds: { ...DEFAULT_BOUNDS, ...options.bounds },
      exitWaitMs: options.exitWaitMs ?? 500,
      onListenerError: options.onListenerError ?? rethrow,
    };
  }

  /** They live no longer than this process. */
  get survivors(): readonly ProcessKey[] {
    return [];
  }

  attach(): undefined {
    return undefined;
  }

  acknowledge(): void {}

  leave(): void {}

  spawn(spec: SpawnSpec, { epoch }: ProcessKey, listener: AgentListener): LocalProcess {
    const context = { ...this.#context, epoch };
    const agent = this.#closed ? refuse(listener, context) : spawnAgent(spec, listener, context);
    this.#running.add(agent);
    void agent.exited.then(() => this.#running.delete(agent));
    listener.onDone?.(SPAWN_EFFECT);
    return agent;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const agents = [...this.#running];
    for (const agent of agents) agent.stop("end");
    await Promise.all(agents.map((agent) => agent.exited));
  }
}

function refuse(listener: AgentListener, context: SpawnContext): LocalProcess {
  const error = "The agent host is closed: no program is started any more";
  return new FailedAgent(context.epoch, new AgentReporter(listener, context), error);
}

function rethrow(error: unknown): never {
  throw error;
}
