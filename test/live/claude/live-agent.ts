import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import { type Lanes, message, say } from "../anthropic/script.js";
import { AnthropicServer } from "../anthropic/server.js";
import { installClaude } from "../install.js";
import type { LiveAgent } from "../live-agent.js";
import { CLAUDE_MODEL } from "./claude-scenario.js";
import { bash } from "./native-tools.js";
import { claudeScenarios } from "./scenarios.js";

export const liveClaude: LiveAgent<Lanes> = {
  id: "claude",
  model: CLAUDE_MODEL,
  scenarios: claudeScenarios,
  // It sees the end of its input, denies what waits and tells the model before it ends.
  hostDies: {
    beside: "bash-once",
    script: { main: [message([bash("touch made.txt", "Create made.txt")]), say("Denied."), say("Created.")] },
  },
  install: installClaude,
  startModel: (script) => AnthropicServer.start(script),
  env: (_dirs, modelUrl) => ({
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: "test-key",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
  }),
  // The CLI takes the nearest folder with a .git as its project, and keeps remembered rules there: without
  // this one, a stray .git above the scenario would let one scenario's rules decide the next one's calls.
  prepare: async (dirs) => {
    await mkdir(join(dirs.cwd, ".git"));
  },
};
