import { ADAPTERS } from "../../../adapters/index.js";
import { REQUIREMENTS } from "../../requirements.js";
import type { AcpAgent } from "./acp-agent.js";
import type { AcpScenario, AcpStories } from "./acp-scenario.js";
import { endingStories } from "./scenarios/endings.js";
import { fileStories } from "./scenarios/files.js";
import { modeStories } from "./scenarios/modes.js";
import { ruleStories } from "./scenarios/rules.js";
import { sessionStories } from "./scenarios/session.js";
import { shellStories } from "./scenarios/shell.js";
import { textStories } from "./scenarios/text.js";
import { toolStories } from "./scenarios/tools.js";

const STORIES: readonly AcpStories[] = [
  textStories,
  shellStories,
  ruleStories,
  fileStories,
  toolStories,
  endingStories,
  sessionStories,
  modeStories,
];

/** Every story that one agent can play: the same ones for all, told with its own tools, and claiming what it keeps. */
export function acpScenarios(agent: AcpAgent): readonly AcpScenario[] {
  return STORIES.flatMap((stories) => stories(agent))
    .map((scenario) => ({ ...scenario, requirements: scenario.requirements.filter((id) => keeps(agent, id)) }))
    .filter(({ requirements }) => requirements.length > 0);
}

/** Whether an agent keeps a promise: its adapter has the capability, and nothing is known to stand against it. */
export function keeps({ id, lacks }: AcpAgent, requirement: string): boolean {
  const needs = REQUIREMENTS.find((candidate) => candidate.id === requirement)?.needs;
  const capable = needs === undefined || ADAPTERS[id]?.capabilities.includes(needs) === true;
  return capable && !Object.hasOwn(lacks, requirement);
}
