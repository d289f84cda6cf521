import type { OpencodeScenario } from "./opencode-scenario.js";
import { abortScenarios } from "./scenarios/abort.js";
import { apiErrorScenarios } from "./scenarios/api-error.js";
import { mcpScenarios } from "./scenarios/mcp.js";
import { modeScenarios } from "./scenarios/mode.js";
import { permissionScenarios } from "./scenarios/permission.js";
import { questionScenarios } from "./scenarios/question.js";
import { sessionScenarios } from "./scenarios/session.js";
import { subagentScenarios } from "./scenarios/subagent.js";
import { textScenarios } from "./scenarios/text.js";
import { toolScenarios } from "./scenarios/tool.js";

/** Every story that is told to the real OpenCode, by topic. */
export const opencodeScenarios: readonly OpencodeScenario[] = [
  ...textScenarios,
  ...toolScenarios,
  ...permissionScenarios,
  ...modeScenarios,
  ...questionScenarios,
  ...mcpScenarios,
  ...subagentScenarios,
  ...sessionScenarios,
  ...abortScenarios,
  ...apiErrorScenarios,
];
