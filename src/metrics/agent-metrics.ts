import type { AgentTotals } from "../session/agent-totals.js";
import type { ActiveNumber } from "../store/store.js";
import type { EventCounts } from "./event-counts.js";
import { counter, type Family, gauge, type Labels, type Series } from "./exposition.js";

/** A database may hold sessions of any agents that were ever declared. */
const OTHER_AGENTS = "other";

export interface AgentSources {
  readonly totals: ReadonlyMap<string, AgentTotals>;
  readonly sessions: number;
  readonly active: readonly ActiveNumber[];
  readonly knowsAgent: (agent: string) => boolean;
  readonly blockedTools: number;
  readonly events: EventCounts;
}

/** Sessions, their agents, and what happens in them. */
export function agentMetrics({ totals, sessions, active, knowsAgent, blockedTools, events }: AgentSources): Family[] {
  const each = (read: (totals: AgentTotals) => number): Series[] => {
    return [...totals].map(([agent, of]) => [{ agent }, read(of)]);
  };
  const eachOf = (label: string, read: (totals: AgentTotals) => Readonly<Record<string, number>>): Series[] => {
    return [...totals].flatMap(([agent, of]) => seriesOf(label, Object.entries(read(of)), { agent }));
  };
  return [
    gauge("sessions", "Root sessions in the database.", sessions),
    gauge("active_sessions", "Root sessions that are not idle.", activeSeries(active, totals.keys(), knowsAgent)),
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

/** Agents that were at work here are there with 0, too: a series that comes and goes cannot be watched. */
function activeSeries(
  active: readonly ActiveNumber[],
  agents: Iterable<string>,
  knowsAgent: (agent: string) => boolean,
): Series[] {
  const numbers = new Map([...agents].map((agent) => [agent, { busy: 0, retry: 0, idle: 0 }]));
  for (const { agent, status, number } of active) {
    const name = knowsAgent(agent) ? agent : OTHER_AGENTS;
    const of = numbers.get(name) ?? { busy: 0, retry: 0, idle: 0 };
    numbers.set(name, of);
    of[status] += number;
  }
  return [...numbers].flatMap(([agent, { busy, retry }]) =>
    seriesOf("status", Object.entries({ busy, retry }), { agent }),
  );
}
