import type { CodexScenario } from "./codex-scenario.js";
import { abortScenarios } from "./scenarios/abort.js";
import { apiErrorScenarios } from "./scenarios/api-error.js";
import { clientToolScenarios } from "./scenarios/client-tools.js";
import { commandScenarios } from "./scenarios/command.js";
import { concurrentScenarios } from "./scenarios/concurrent.js";
import { mcpScenarios } from "./scenarios/mcp.js";
import { modeScenarios } from "./scenarios/mode.js";
import { permissionScenarios } from "./scenarios/permission.js";
import { processScenarios } from "./scenarios/process.js";
import { questionScenarios } from "./scenarios/question.js";
import { queueScenarios } from "./scenarios/queue.js";
import { sessionScenarios } from "./scenarios/session.js";
import { subagentScenarios } from "./scenarios/subagent.js";
import { textScenarios } from "./scenarios/text.js";
import { toolScenarios } from "./scenarios/tool.js";

/** Every story that is told to the real Codex CLI, by topic. */
export const codexScenarios: readonly CodexScenario[] = [
  ...textScenarios,
  ...toolScenarios,
  ...permissionScenarios,
  ...concurrentScenarios,
  ...modeScenarios,
  ...questionScenarios,
  ...mcpScenarios,
  ...clientToolScenarios,
  ...subagentScenarios,
  ...sessionScenarios,
  ...commandScenarios,
  ...abortScenarios,
  ...queueScenarios,
  ...apiErrorScenarios,
  ...processScenarios,
];
