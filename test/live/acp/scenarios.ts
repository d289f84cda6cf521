import type { AcpAgent } from "./acp-agent.js";
import type { AcpScenario, AcpStories } from "./acp-scenario.js";
import { endingStories } from "./scenarios/endings.js";
import { fileStories } from "./scenarios/files.js";
import { sessionStories } from "./scenarios/session.js";
import { shellStories } from "./scenarios/shell.js";
import { textStories } from "./scenarios/text.js";
import { toolStories } from "./scenarios/tools.js";

const STORIES: readonly AcpStories[] = [
  textStories,
  shellStories,
  fileStories,
  toolStories,
  endingStories,
  sessionStories,
];

/** Every story that one agent can play: the same ones for all, told with its own tools. */
export function acpScenarios(agent: AcpAgent): readonly AcpScenario[] {
  const without = agent.without ?? {};
  return STORIES.flatMap((stories) => stories(agent)).filter(({ name }) => !Object.hasOwn(without, name));
}
