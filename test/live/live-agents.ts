import { liveClaude } from "./claude/live-agent.js";
import { liveCodex } from "./codex/live-agent.js";
import type { AnyLiveAgent } from "./live-agent.js";
import { liveOpencode } from "./opencode/live-agent.js";

/** Every agent that the runner can bring to life, by its adapter's id. */
export const LIVE_AGENTS: Readonly<Record<string, AnyLiveAgent>> = {
  claude: liveClaude,
  codex: liveCodex,
  opencode: liveOpencode,
};
