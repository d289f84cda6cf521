import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import type { Params } from "../../schemas/index.js";
import { AGENTS_DIR } from "../../src/cli/open-gateway.js";
import { directoryPlaceholders, type Placeholder } from "../../src/conformance/placeholders.js";
import type { InstalledAgent } from "./install.js";
import type { AnyLiveAgent, ModelServer } from "./live-agent.js";
import type { ScenarioDirs, StdioServer } from "./scenario.js";

const PLAIN = { LANG: "C.UTF-8", TERM: "dumb", SHELL: "/bin/bash" };

export type AnyScenario = AnyLiveAgent["scenarios"][number];

/** Who plays which story. */
export interface Cast {
  readonly agent: AnyLiveAgent;
  readonly scenario: AnyScenario;
  readonly installed: InstalledAgent;
}

/** What is there while one story is played. */
export interface Stage extends Cast {
  readonly dirs: ScenarioDirs;
  readonly server: ModelServer;
  /** The folder that holds everything of this run. */
  readonly root: string;
  /** All variables that the CLI has. */
  readonly env: Readonly<Record<string, string>>;
  /** What stands in a trace for the strings of this machine. */
  readonly placeholders: readonly Placeholder[];
}

/** Makes an empty home, a project and a model server for one story, and takes them away again. */
export async function onStage<T>(cast: Cast, play: (stage: Stage) => Promise<T>): Promise<T> {
  const { agent, scenario } = cast;
  const root = await realpath(await mkdtemp(join(tmpdir(), "aw-")));
  const dirs = { home: join(root, "home"), cwd: join(root, "work") };
  try {
    await mkdir(join(dirs.home, "tmp"), { recursive: true });
    await mkdir(dirs.cwd);
    const server = await agent.startModel(scenario.script(dirs));
    try {
      await agent.prepare?.(dirs, server.url, scenario);
      await scenario.setup?.(dirs);
      const env = variables(cast, dirs, server.url);
      return await play({ ...cast, dirs, server, root, env, placeholders: placeholders(root, dirs, server.url) });
    } finally {
      await server.close();
    }
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Fields of the final state that differ from run to run. */
export function unsteadyOf({ agent, scenario }: Cast): string[] {
  return [...(agent.unsteady ?? []), ...(scenario.unsteady ?? [])];
}

/** What a story's session is made with. */
export function sessionParams({ agent, scenario, dirs }: Stage): Params<"session.create"> {
  const model = scenario.session?.model ?? agent.model;
  const { mode, permission, mcpServers, tools } = scenario.session ?? {};
  return {
    agent: agent.id,
    directory: dirs.cwd,
    ...(model !== undefined && { model }),
    ...(mode && { mode }),
    ...(permission && { permission: [...permission] }),
    ...(mcpServers && { mcpServers: stdioServers(mcpServers) }),
    ...(tools && { tools: [...tools] }),
  };
}

/** Throws when the work takes longer. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the scenario did not end within ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function variables({ agent, scenario, installed }: Cast, dirs: ScenarioDirs, modelUrl: string): Record<string, string> {
  return {
    PATH: [...(installed.searchPath ?? []), process.env.PATH].join(delimiter),
    HOME: dirs.home,
    TMPDIR: join(dirs.home, "tmp"),
    ...PLAIN,
    ...agent.env(dirs, modelUrl),
    ...scenario.env,
  };
}

function placeholders(root: string, { cwd, home }: ScenarioDirs, modelUrl: string): Placeholder[] {
  return [
    ...directoryPlaceholders(cwd, home),
    { value: root, name: "${root}" },
    // Some tell by which file they can be signed in, or where their skills lie.
    { value: resolve(AGENTS_DIR), name: "${agents}" },
    // Agents whose project is the whole disk tell paths below it.
    { value: cwd.slice(1), name: "${cwd-below-root}" },
    { value: new URL(modelUrl).host, name: "${api}" },
  ];
}

function stdioServers(servers: Readonly<Record<string, StdioServer>>) {
  const entries = Object.entries(servers).map(([name, { command, args }]) => [
    name,
    { type: "stdio" as const, command, args: [...args] },
  ]);
  return Object.fromEntries(entries);
}
