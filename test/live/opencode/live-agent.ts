import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Lanes } from "../anthropic/script.js";
import { AnthropicServer } from "../anthropic/server.js";
import { installOpencode } from "../install.js";
import type { LiveAgent } from "../live-agent.js";
import type { ScenarioDirs } from "../scenario.js";
import { OPENCODE_MODEL, type OpencodeScenario } from "./opencode-scenario.js";
import { protocolDrift } from "./protocol-drift.js";
import { opencodeScenarios } from "./scenarios.js";

export const liveOpencode: LiveAgent<Lanes> = {
  id: "opencode",
  model: OPENCODE_MODEL,
  scenarios: opencodeScenarios,
  // Each server reads its plugins and catalogues anew, which takes seconds of the processor.
  timeoutMs: 180_000,
  install: installOpencode,
  startModel: (script) => AnthropicServer.start(script),
  // Without these it looks for updates, lists of models and language servers, and shares what is said.
  env: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    OPENCODE_DISABLE_SHARE: "1",
    OPENCODE_DISABLE_CLAUDE_CODE: "1",
  }),
  drift: protocolDrift,
  prepare: async (dirs, modelUrl, scenario) => {
    await makeRepository(dirs);
    await writeConfig(dirs, modelUrl, scenario as OpencodeScenario);
  },
};

/** Paths are told from the root of the repository; without a commit it counts as none. */
async function makeRepository({ cwd, home }: ScenarioDirs): Promise<void> {
  const git = (...args: string[]) =>
    promisify(execFile)("git", ["-C", cwd, "-c", "user.name=test", "-c", "user.email=test@localhost", ...args], {
      env: { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: "1" },
    });
  await git("init", "--quiet");
  await git("commit", "--quiet", "--allow-empty", "--message", "Begin");
}

/** Titles would be asked for at a time of their own, and snapshots make a copy of the repository. */
async function writeConfig({ home }: ScenarioDirs, modelUrl: string, { config }: OpencodeScenario): Promise<void> {
  const folder = join(home, ".config", "opencode");
  await mkdir(folder, { recursive: true });
  const scripted = {
    npm: "@ai-sdk/anthropic",
    name: "Scripted",
    options: { baseURL: `${modelUrl}/v1`, apiKey: "test-key" },
    models: { "model-1": MODEL, "model-2": MODEL },
  };
  const base = {
    autoupdate: false,
    share: "disabled",
    snapshot: false,
    model: OPENCODE_MODEL,
    small_model: OPENCODE_MODEL,
    enabled_providers: ["scripted"],
    provider: { scripted },
    agent: { title: { disable: true } },
  };
  await writeFile(join(folder, "opencode.json"), JSON.stringify({ ...base, ...config }, null, 2));
}

const MODEL = {
  name: "Scripted",
  tool_call: true,
  reasoning: true,
  attachment: true,
  modalities: { input: ["text", "image"], output: ["text"] },
  cost: { input: 1, output: 2, cache_read: 0.1, cache_write: 1.25 },
  limit: { context: 100_000, output: 8000 },
};
