import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { installCodex } from "../install.js";
import type { LiveAgent } from "../live-agent.js";
import { type Lanes, output, say } from "../openai/script.js";
import { OpenaiServer } from "../openai/server.js";
import type { ScenarioDirs } from "../scenario.js";
import { CODEX_MODEL, type CodexScenario } from "./codex-scenario.js";
import { escalated } from "./native-tools.js";
import { protocolDrift } from "./protocol-drift.js";
import { codexScenarios } from "./scenarios.js";

export const liveCodex: LiveAgent<Lanes> = {
  id: "codex",
  model: CODEX_MODEL,
  scenarios: codexScenarios,
  hostDies: { beside: "exec-once", script: { main: [output([escalated("touch made.txt")]), say("Created.")] } },
  install: installCodex,
  startModel: (script) => OpenaiServer.start(script),
  env: ({ home }) => ({ CODEX_HOME: join(home, ".codex"), SCRIPTED_API_KEY: "test-key" }),
  drift: protocolDrift,
  prepare: (dirs, modelUrl, scenario) => writeConfig(dirs, modelUrl, scenario as CodexScenario),
};

async function writeConfig({ home, cwd }: ScenarioDirs, modelUrl: string, scenario: CodexScenario): Promise<void> {
  // The nearest folder with a .git is the project: a stray one above the scenario would change the paths of its diffs.
  await mkdir(join(cwd, ".git"), { recursive: true });
  const folder = join(home, ".codex");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "config.toml"), configOf(modelUrl, scenario));
}

/** Without these tables the CLI looks for updates and plugins, and tells of its use. A retry waits for milliseconds. */
function configOf(modelUrl: string, scenario: CodexScenario): string {
  const { top = "", features = "", config = "", provider = "scripted", unboundedRetries = false } = scenario;
  return `model_provider = "${provider}"
${top}
check_for_update_on_startup = false
[model_providers.scripted]
name = "Scripted"
base_url = "${modelUrl}/v1"
env_key = "SCRIPTED_API_KEY"
wire_api = "responses"
supports_websockets = false
request_max_retries = 1
stream_max_retries = 1
stream_idle_timeout_ms = 20000
[analytics]
enabled = false
[feedback]
enabled = false
[otel]
exporter = "none"
trace_exporter = "none"
metrics_exporter = "none"
[features]
apps = false
plugins = false
remote_plugin = false
plugin_sharing = false
daemon_auto_start = false
skill_mcp_dependency_install = false
tool_suggest = false
unbounded_connection_retries = ${unboundedRetries}
${features}
${config}
`;
}
