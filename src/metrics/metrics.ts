import type { ServerCore } from "../server/server-core.js";
import type { Gateway } from "../session/gateway.js";
import type { Store, StoreStats } from "../store/store.js";
import { agentMetrics } from "./agent-metrics.js";
import { EventCounts } from "./event-counts.js";
import { writeExposition } from "./exposition.js";
import { LoopLag } from "./loop-lag.js";
import { processMetrics } from "./process-metrics.js";
import { serverMetrics } from "./server-metrics.js";
import { storeMetrics } from "./store-metrics.js";

export interface MetricsSources {
  readonly gateway: Gateway;
  readonly store: Store;
  readonly core: Pick<ServerCore, "counts" | "publisher" | "version">;
}

/** Reads what each layer counts when it is asked for: nothing is put into words before. */
export class Metrics {
  readonly #sources: MetricsSources;
  readonly #events = new EventCounts();
  readonly #lag = new LoopLag();
  readonly #stopListening: () => void;

  constructor(sources: MetricsSources) {
    this.#sources = sources;
    this.#stopListening = sources.store.subscribe((group) => this.#events.hear(group));
  }

  /** All metrics, in the text format of Prometheus. */
  scrape(): string {
    const { gateway, store, core } = this.#sources;
    const { bytes, ...stored } = this.#readStore();
    const agents = {
      totals: gateway.totals,
      ...stored,
      knowsAgent: (agent: string) => gateway.knowsAgent(agent),
      blockedTools: gateway.pendingBlocks().length,
      events: this.#events,
    };
    return writeExposition([
      ...processMetrics(core.version, this.#lag),
      ...agentMetrics(agents),
      ...serverMetrics(core),
      ...storeMetrics(store.counts, bytes),
    ]);
  }

  /** A database that cannot be read is a reason to tell the rest. */
  #readStore(): StoreStats {
    try {
      return this.#sources.store.stats();
    } catch {
      return { sessions: Number.NaN, active: [], bytes: Number.NaN };
    }
  }

  stop(): void {
    this.#stopListening();
    this.#lag.stop();
  }
}
