import { ADAPTERS, type AnyAdapter } from "../../adapters/index.js";
import type { AcpAgent } from "../live/acp/acp-agent.js";
import { ACP_AGENTS } from "../live/acp/acp-agents.js";
import { REQUIREMENTS, type Requirement } from "../requirements.js";
import { TRACES } from "./matrix.js";

/** Shows what each ACP agent keeps: a line for each promise that one of them shows, a column for each agent. */
export function renderAcpTable(): string {
  const agents = ACP_AGENTS.map(({ id }) => adapterOf(id));
  const head = [
    `| promise | ${agents.map(({ name, testedVersion }) => `${name} ${testedVersion}`).join(" | ")} |`,
    `|---|${agents.map(() => "---").join("|")}|`,
  ];
  const lines = shownPromises().map(
    ({ id, title }) => `| ${title} \`${id}\` | ${ACP_AGENTS.map((agent) => cell(agent, id)).join(" | ")} |`,
  );
  return [...head, ...lines, "", ...reasons()].join("\n");
}

/** The promises that a trace of some ACP agent shows. */
export function shownPromises(): readonly Requirement[] {
  return REQUIREMENTS.filter(({ id }) => ACP_AGENTS.some((agent) => count(agent, id) > 0));
}

/** Promises that others show and an agent neither shows nor says why not. */
export function acpHoles(): string[] {
  return ACP_AGENTS.flatMap((agent) =>
    shownPromises()
      .filter((promise) => count(agent, promise.id) === 0 && !isExcused(agent, promise))
      .map(({ id }) => `${agent.id} neither shows ${id} nor says why not`),
  );
}

function isExcused({ id, lacks }: AcpAgent, promise: Requirement): boolean {
  if (Object.hasOwn(lacks, promise.id)) return true;
  return promise.needs !== undefined && !adapterOf(id).capabilities.includes(promise.needs);
}

function count({ id }: AcpAgent, requirement: string): number {
  return TRACES.filter((trace) => trace.adapter === id && trace.requirements.includes(requirement)).length;
}

function cell(agent: AcpAgent, requirement: string): string {
  const traces = count(agent, requirement);
  if (traces > 0) return `✓ ${traces}`;
  return Object.hasOwn(agent.lacks, requirement) ? "no" : "–";
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
