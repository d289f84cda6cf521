import type { ClaudeFullScenario } from "./claude-scenario.js";
import { abortScenarios } from "./scenarios/abort.js";
import { apiErrorScenarios } from "./scenarios/api-error.js";
import { backgroundScenarios } from "./scenarios/background.js";
import { clientToolScenarios } from "./scenarios/client-tools.js";
import { compactScenarios } from "./scenarios/compact.js";
import { concurrentScenarios } from "./scenarios/concurrent.js";
import { demoScenarios } from "./scenarios/demo.js";
import { editScenarios } from "./scenarios/edit.js";
import { hookScenarios } from "./scenarios/hook.js";
import { imageScenarios } from "./scenarios/image.js";
import { limitScenarios } from "./scenarios/limit.js";
import { mcpScenarios } from "./scenarios/mcp.js";
import { modeScenarios } from "./scenarios/mode.js";
import { permissionScenarios } from "./scenarios/permission.js";
import { planScenarios } from "./scenarios/plan.js";
import { processScenarios } from "./scenarios/process.js";
import { questionScenarios } from "./scenarios/question.js";
import { queueScenarios } from "./scenarios/queue.js";
import { sessionScenarios } from "./scenarios/session.js";
import { settingsScenarios } from "./scenarios/settings.js";
import { steerScenarios } from "./scenarios/steer.js";
import { streamFaultScenarios } from "./scenarios/stream-fault.js";
import { subagentScenarios } from "./scenarios/subagent.js";
import { textScenarios } from "./scenarios/text.js";
import { todoScenarios } from "./scenarios/todo.js";
import { toolScenarios } from "./scenarios/tool.js";
import { toolFailureScenarios } from "./scenarios/tool-failure.js";

/** Every story that is told to the real Claude Code CLI, by topic. */
export const claudeScenarios: readonly ClaudeFullScenario[] = [
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
  ...questionScenarios,
  ...planScenarios,
  ...subagentScenarios,
  ...todoScenarios,
  ...steerScenarios,
  ...compactScenarios,
  ...imageScenarios,
  ...mcpScenarios,
  ...clientToolScenarios,
  ...backgroundScenarios,
  ...sessionScenarios,
  ...settingsScenarios,
  ...hookScenarios,
];
