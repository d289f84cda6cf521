import { counter, type Family, gauge } from "./exposition.js";
import type { LoopLag } from "./loop-lag.js";

/** The gateway's own process. */
export function processMetrics(version: string, lag: LoopLag): Family[] {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return [
    gauge("build_info", "The version that runs.", [[{ version, node: process.versions.node }, 1]]),
    gauge("uptime_seconds", "How long the process has run.", process.uptime()),
    gauge("resident_memory_bytes", "The memory of the process.", rss),
    gauge("heap_used_bytes", "The memory of its JavaScript objects.", heapUsed),
    counter("cpu_seconds", "CPU time of the process.", (user + system) / 1e6),
    gauge(
      "event_loop_lag_seconds",
      "How late the event loop was since the last scrape.",
      lag.take().map(([quantile, seconds]) => [{ quantile: String(quantile) }, seconds]),
    ),
  ];
}
