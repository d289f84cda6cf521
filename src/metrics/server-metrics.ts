import type { Publisher } from "../server/publisher.js";
import type { ServerCounts } from "../server/server-counts.js";
import { counter, type Family, gauge, histogram, type Series } from "./exposition.js";

export interface ServerSources {
  readonly counts: ServerCounts;
  readonly publisher: Publisher;
}

/** Clients, what they ask for, and what they are sent. */
export function serverMetrics({ counts, publisher }: ServerSources): Family[] {
  const methods = [...counts.methods].sort(([a], [b]) => (a < b ? -1 : 1));
  const requests = methods.flatMap(([method, { outcomes }]) => {
    return [...outcomes].map(([kind, value]): Series => [{ method, kind }, value]);
  });
  const durations = methods.map(([method, { seconds }]) => [{ method }, seconds] as const);
  const { traffic, refusals } = counts;
  return [
    counter("requests", "Requests by method and by what came of them: ok, or the kind of error.", requests),
    histogram("request_duration_seconds", "How long requests took.", durations),
    counter(
      "refused_clients",
      "Connections and requests that were not let in.",
      [...refusals].map(([kind, value]) => [{ kind }, value]),
    ),
    gauge("connections", "Network connections that are open.", traffic.connections),
    counter("network_sent_bytes", "What was sent over the network.", traffic.sentBytes),
    counter("network_received_bytes", "What was received over the network.", traffic.receivedBytes),
    gauge(
      "subscribers",
      "Subscriptions to events.",
      [...publisher.subscribers()].map(([transport, value]) => [{ transport }, value]),
    ),
    counter("overflows", "How often a client read too slowly.", publisher.counts.overflows),
    counter("gaps", "How often a client was away for too long to be told what changed.", publisher.counts.gaps),
  ];
}
