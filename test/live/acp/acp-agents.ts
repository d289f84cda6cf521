import type { AcpAgent } from "./acp-agent.js";
import { CLAUDE_ACP } from "./agents/claude.js";
import { CODEX_ACP } from "./agents/codex.js";
import { COPILOT } from "./agents/copilot.js";
import { GEMINI_CLI } from "./agents/gemini.js";
import { KIMI_CODE } from "./agents/kimi.js";
import { OPENCODE } from "./agents/opencode.js";
import { PI_ACP } from "./agents/pi.js";
import { QWEN_CODE } from "./agents/qwen.js";

/** Every ACP agent that is run for real. */
export const ACP_AGENTS: readonly AcpAgent[] = [
  GEMINI_CLI,
  CLAUDE_ACP,
  CODEX_ACP,
  OPENCODE,
  QWEN_CODE,
  PI_ACP,
  COPILOT,
  KIMI_CODE,
];
