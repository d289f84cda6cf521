import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { installAcp } from "../install.js";
import type { LiveAgent } from "../live-agent.js";
import type { Lanes } from "../model-server/script.js";
import type { ScenarioDirs } from "../scenario.js";
import type { AcpAgent } from "./acp-agent.js";
import { ACP_AGENTS } from "./acp-agents.js";
import { APIS } from "./apis.js";
import { acpScenarios } from "./scenarios.js";

/** The ACP agents, each with the stories that it can play. */
export const liveAcp: readonly LiveAgent<Lanes>[] = ACP_AGENTS.map((agent) => ({
  id: agent.id,
  ...(agent.unsteady && { unsteady: agent.unsteady }),
  ...(agent.timeoutMs !== undefined && { timeoutMs: agent.timeoutMs }),
  scenarios: acpScenarios(agent),
  install: (options) => installAcp(agent, options),
  startModel: (script) => APIS[agent.api].start(script),
  env: (dirs, modelUrl) => agent.env(dirs, modelUrl),
  prepare: (dirs, modelUrl) => writeFiles(agent, dirs, modelUrl),
}));

/** The nearest folder with a .git is the project: a stray one above the scenario would change what agents read and remember. */
async function writeFiles(agent: AcpAgent, { home, cwd }: ScenarioDirs, modelUrl: string): Promise<void> {
  await mkdir(join(cwd, ".git"), { recursive: true });
  for (const [file, content] of Object.entries(agent.files(modelUrl))) {
    const path = join(home, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  }
}
