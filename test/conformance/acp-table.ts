import { ADAPTERS, type AnyAdapter } from "../../adapters/index.js";
import type { AcpAgent } from "../live/acp/acp-agent.js";
import { ACP_AGENTS } from "../live/acp/acp-agents.js";
import { REQUIREMENTS, type Requirement } from "../requirements.js";
import { TRACES } from "./matrix.js";

/** What each agent shows by itself, or says what it does instead. */
const CORE = [
  "text.streaming",
  "reasoning.streaming",
  "tool.completed",
  "tool.output",
  "tool.edit",
  "permission.once",
  "permission.reject",
  "diff.edit",
  "turn.queue",
  "turn.after-error",
  "turn.finish-aborted",
  "abort.mid-stream",
  "error.auth",
  "process.exit-mid-stream",
  "process.resume",
];

/** Shows what each ACP agent keeps: a line for each promise that one of them shows, a column for each agent. */
export function renderAcpTable(): string {
  const agents = ACP_AGENTS.map(({ id }) => adapterOf(id));
  const head = [
    `| promise | ${agents.map(({ name, testedVersion }) => `${name} ${testedVersion}`).join(" | ")} |`,
    `|---|${agents.map(() => "---").join("|")}|`,
  ];
  const lines = shownPromises().map(
    (promise) =>
      `| ${promise.title} \`${promise.id}\` | ${ACP_AGENTS.map((agent) => cell(agent, promise)).join(" | ")} |`,
  );
  return [...head, ...lines, "", ...reasons()].join("\n");
}

/** The promises that a trace of some ACP agent shows. */
function shownPromises(): readonly Requirement[] {
  return REQUIREMENTS.filter(({ id }) => ACP_AGENTS.some((agent) => count(agent, id) > 0));
}

/** What an agent neither shows nor says why not, of what each is to show. */
export function acpHoles(): string[] {
  const core = REQUIREMENTS.filter(({ id }) => CORE.includes(id));
  return ACP_AGENTS.flatMap((agent) =>
    core
      .filter((promise) => count(agent, promise.id) === 0 && !isExcused(agent, promise))
      .map(({ id }) => `${agent.id} neither shows ${id} nor says why not`),
  );
}

function isExcused(agent: AcpAgent, promise: Requirement): boolean {
  return Object.hasOwn(agent.lacks, promise.id) || !isCapable(agent, promise);
}

function isCapable({ id }: AcpAgent, { needs }: Requirement): boolean {
  return needs === undefined || adapterOf(id).capabilities.includes(needs);
}

function count({ id }: AcpAgent, requirement: string): number {
  return TRACES.filter((trace) => trace.adapter === id && trace.requirements.includes(requirement)).length;
}

function cell(agent: AcpAgent, promise: Requirement): string {
  const traces = count(agent, promise.id);
  if (traces > 0) return `✓ ${traces}`;
  if (Object.hasOwn(agent.lacks, promise.id)) return "no";
  return isCapable(agent, promise) ? "" : "–";
}

/** Why a cell says "no". */
function reasons(): string[] {
  return ACP_AGENTS.flatMap(({ id, lacks }) =>
    Object.entries(lacks).map(([requirement, reason]) => `- ${adapterOf(id).name}, \`${requirement}\`: ${reason}`),
  );
}

function adapterOf(id: string): AnyAdapter {
  const adapter = ADAPTERS[id];
  if (!adapter) throw new Error(`there is no adapter ${id}`);
  return adapter;
}
