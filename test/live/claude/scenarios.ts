import type { ClaudeScenario } from "./claude-scenario.js";
import { abortScenarios } from "./scenarios/abort.js";
import { apiErrorScenarios } from "./scenarios/api-error.js";
import { concurrentScenarios } from "./scenarios/concurrent.js";
import { demoScenarios } from "./scenarios/demo.js";
import { editScenarios } from "./scenarios/edit.js";
import { limitScenarios } from "./scenarios/limit.js";
import { modeScenarios } from "./scenarios/mode.js";
import { permissionScenarios } from "./scenarios/permission.js";
import { processScenarios } from "./scenarios/process.js";
import { queueScenarios } from "./scenarios/queue.js";
import { streamFaultScenarios } from "./scenarios/stream-fault.js";
import { textScenarios } from "./scenarios/text.js";
import { toolScenarios } from "./scenarios/tool.js";
import { toolFailureScenarios } from "./scenarios/tool-failure.js";

/** Every story that is told to the real Claude Code CLI, by topic. */
export const claudeScenarios: readonly ClaudeScenario[] = [
  ...demoScenarios,
  ...textScenarios,
  ...toolScenarios,
  ...toolFailureScenarios,
  ...permissionScenarios,
  ...editScenarios,
  ...concurrentScenarios,
  ...modeScenarios,
  ...abortScenarios,
  ...queueScenarios,
  ...apiErrorScenarios,
  ...streamFaultScenarios,
  ...limitScenarios,
  ...processScenarios,
];
