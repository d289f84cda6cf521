import type { AgentTotals } from "../session/agent-totals.js";
import type { SessionNumber } from "../store/store.js";
import type { EventCounts } from "./event-counts.js";
import { counter, type Family, gauge, type Labels, type Series } from "./exposition.js";

/** A database may hold sessions of any agents that were ever declared. */
const OTHER_AGENTS = "other";

export interface AgentSources {
  readonly totals: ReadonlyMap<string, AgentTotals>;
  readonly sessions: readonly SessionNumber[];
  readonly knowsAgent: (agent: string) => boolean;
  readonly blockedTools: number;
  readonly events: EventCounts;
}

/** Sessions, their agents, and what happens in them. */
export function agentMetrics({ totals, sessions, knowsAgent, blockedTools, events }: AgentSources): Family[] {
  const each = (read: (totals: AgentTotals) => number): Series[] => {
    return [...totals].map(([agent, of]) => [{ agent }, read(of)]);
  };
  const eachOf = (label: string, read: (totals: AgentTotals) => Readonly<Record<string, number>>): Series[] => {
    return [...totals].flatMap(([agent, of]) => seriesOf(label, Object.entries(read(of)), { agent }));
  };
  return [
    gauge("sessions", "Root sessions by agent and status.", sessionSeries(sessions, knowsAgent)),
    gauge(
      "agent_processes",
      "Agents that run.",
      each(({ running }) => running),
    ),
    counter(
      "agent_starts",
      "Agents that were started.",
      each(({ starts }) => starts),
    ),
    counter(
      "agent_exits",
      "Agents that ended: exited with 0, failed with another code, killed by a signal, or error.",
      eachOf("reason", ({ exits }) => exits),
    ),
    counter(
      "frames",
      "Frames that agents wrote.",
      each(({ frames }) => frames),
    ),
    counter(
      "unknown_frames",
      "Frames of a kind that the adapter does not know.",
      each((of) => of.unknownFrames),
    ),
    counter(
      "noise_lines",
      "What agents wrote to standard output that is no frame.",
      each((of) => of.noiseLines),
    ),
    counter(
      "faults",
      "Frames that were cut or too long.",
      each(({ faults }) => faults),
    ),
    counter(
      "stalls",
      "Silences that marked a session as stalled.",
      each(({ stalls }) => stalls),
    ),
    gauge("blocked_tools", "Tools that wait for a decision, an answer or their client.", blockedTools),
    counter(
      "decisions",
      "Decided blocks by who decided.",
      eachOf("decided_by", ({ decisions }) => decisions),
    ),
    counter("turns", "Turns that ended, by how their last answer did.", seriesOf("finish", events.turns)),
    counter("events", "Events that were published.", seriesOf("type", Object.entries(events.events))),
  ];
}

function seriesOf(label: string, entries: Iterable<readonly [string, number]>, labels: Labels = {}): Series[] {
  return [...entries].map(([name, value]) => [{ ...labels, [label]: name }, value]);
}

function sessionSeries(sessions: readonly SessionNumber[], knowsAgent: (agent: string) => boolean): Series[] {
  const known = sessions.filter(({ agent }) => knowsAgent(agent));
  const series = known.map(({ agent, status, number }): Series => [{ agent, status }, number]);
  const others = new Map<string, number>();
  for (const { agent, status, number } of sessions) {
    if (!knowsAgent(agent)) others.set(status, (others.get(status) ?? 0) + number);
  }
  return [...series, ...seriesOf("status", others, { agent: OTHER_AGENTS })];
}
