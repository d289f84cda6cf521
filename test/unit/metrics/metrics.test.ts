import { expect, test } from "vitest";
import { type AgentSources, agentMetrics } from "../../../src/metrics/agent-metrics.js";
import { EventCounts } from "../../../src/metrics/event-counts.js";
import { writeExposition } from "../../../src/metrics/exposition.js";
import { LoopLag } from "../../../src/metrics/loop-lag.js";
import { Metrics, type MetricsSources } from "../../../src/metrics/metrics.js";
import { ServerCounts } from "../../../src/server/server-counts.js";
import { AgentTotals } from "../../../src/session/agent-totals.js";
import { StoreCounts } from "../../../src/store/store-counts.js";
import { parsePrometheus } from "./prometheus-text.js";

const NOTHING: AgentSources = {
  totals: new Map(),
  sessions: 0,
  active: [],
  knowsAgent: (agent) => agent === "claude",
  blockedTools: 0,
  events: new EventCounts(),
};

test("sessions of agents that are not declared any more are one label", () => {
  const active = [
    { agent: "claude", status: "busy", number: 3 },
    { agent: "gone", status: "busy", number: 2 },
    { agent: "gone-too", status: "busy", number: 1 },
    { agent: "gone", status: "retry", number: 1 },
  ] as const;
  const totals = new Map([["codex", new AgentTotals()]]);
  const families = parsePrometheus(writeExposition(agentMetrics({ ...NOTHING, totals, active })));
  expect(Object.fromEntries(families.get("agentwire_active_sessions")?.samples ?? [])).toEqual({
    'agentwire_active_sessions{agent="claude",status="busy"}': 3,
    'agentwire_active_sessions{agent="claude",status="retry"}': 0,
    'agentwire_active_sessions{agent="codex",status="busy"}': 0,
    'agentwire_active_sessions{agent="codex",status="retry"}': 0,
    'agentwire_active_sessions{agent="other",status="busy"}': 3,
    'agentwire_active_sessions{agent="other",status="retry"}': 1,
  });
});

test("what an agent came to is told by agent, and by reason", () => {
  const totals = new AgentTotals();
  totals.exits.killed = 2;
  totals.decisions.rule = 1;
  const families = parsePrometheus(
    writeExposition(agentMetrics({ ...NOTHING, totals: new Map([["claude", totals]]) })),
  );
  const exits = families.get("agentwire_agent_exits_total")?.samples;
  expect(exits?.size).toBe(4);
  expect(exits?.get('agentwire_agent_exits_total{agent="claude",reason="killed"}')).toBe(2);
  const decisions = families.get("agentwire_decisions_total")?.samples;
  expect(decisions?.get('agentwire_decisions_total{agent="claude",decided_by="rule"}')).toBe(1);
});

test("a database that cannot be read costs only what it would tell", () => {
  const counts = new StoreCounts();
  counts.failures = 3;
  const sources = {
    gateway: { totals: new Map(), pendingBlocks: () => [], knowsAgent: () => true },
    store: {
      counts,
      subscribe: () => () => {},
      stats: () => {
        throw new Error("disk I/O error");
      },
    },
    core: {
      version: "1.2.3",
      counts: new ServerCounts(),
      publisher: { subscribers: () => new Map(), counts: { overflows: 0, gaps: 0 } },
    },
  } as unknown as MetricsSources;
  const metrics = new Metrics(sources);
  const families = parsePrometheus(metrics.scrape());
  metrics.stop();
  expect(families.get("agentwire_store_failures_total")?.samples.get("agentwire_store_failures_total")).toBe(3);
  expect(families.get("agentwire_database_bytes")?.samples.get("agentwire_database_bytes")).toBeNaN();
});

test("how late the event loop is, is measured once somebody asks", async () => {
  const lag = new LoopLag();
  expect(lag.take()).toEqual([]);
  let taken = lag.take();
  while (taken.length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    taken = lag.take();
  }
  lag.stop();
  expect(taken.map(([quantile]) => quantile)).toEqual([0.5, 0.99, 1]);
  for (const [, seconds] of taken) expect(seconds).toBeGreaterThanOrEqual(0);
});
