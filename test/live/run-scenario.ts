import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, delimiter, join, resolve } from "node:path";
import pino from "pino";

import { AGENTS_DIR } from "../../src/cli/open-gateway.js";
import { directoryPlaceholders } from "../../src/conformance/placeholders.js";
import { Recorder } from "../../src/conformance/recorder.js";
import type { Trace } from "../../src/conformance/trace.js";
import { startPolicy } from "../../src/policy/policy.js";
import { LocalAgentHost } from "../../src/process/local-agent-host.js";
import { AgentPrograms, adapterOf } from "../../src/session/agent-programs.js";
import { Gateway } from "../../src/session/gateway.js";
import { openStore } from "../../src/store/open-store.js";
import type { InstalledAgent } from "./install.js";
import type { AnyLiveAgent, ModelServer } from "./live-agent.js";
import { LiveDriver } from "./live-driver.js";
import type { ScenarioDirs, StdioServer } from "./scenario.js";
import { takeOver } from "./take-over.js";

const SCENARIO_TIMEOUT_MS = 60_000;

const PLAIN = { LANG: "C.UTF-8", TERM: "dumb", SHELL: "/bin/bash" };

type AnyScenario = AnyLiveAgent["scenarios"][number];

/** One scenario at work. */
interface Run {
  readonly agent: AnyLiveAgent;
  readonly scenario: AnyScenario;
  readonly installed: InstalledAgent;
  readonly dirs: ScenarioDirs;
  readonly server: ModelServer;
  readonly root: string;
}

/** Lets one scenario happen with the real CLI, and returns its trace. Throws when the story did not go as told. */
export async function runScenario(
  agent: AnyLiveAgent,
  scenario: AnyScenario,
  installed: InstalledAgent,
): Promise<Trace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "aw-")));
  const dirs = { home: join(root, "home"), cwd: join(root, "work") };
  try {
    await mkdir(join(dirs.home, "tmp"), { recursive: true });
    await mkdir(dirs.cwd);
    const server = await agent.startModel(scenario.script(dirs));
    try {
      await agent.prepare?.(dirs, server.url, scenario);
      await scenario.setup?.(dirs);
      return await play({ agent, scenario, installed, dirs, server, root });
    } finally {
      await server.close();
    }
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function play(run: Run): Promise<Trace> {
  const { agent, scenario, installed, dirs, server, root } = run;
  const env = {
    PATH: [...(installed.searchPath ?? []), process.env.PATH].join(delimiter),
    HOME: dirs.home,
    TMPDIR: join(dirs.home, "tmp"),
    ...PLAIN,
    ...agent.env(dirs, server.url),
    ...scenario.env,
  };
  const store = openStore({ path: ":memory:" });
  const log = pino({ level: "silent" });
  const placeholders = [
    ...directoryPlaceholders(dirs.cwd, dirs.home),
    { value: root, name: "${root}" },
    // Some tell by which file they can be signed in, or where their skills lie.
    { value: resolve(AGENTS_DIR), name: "${agents}" },
    // Agents whose project is the whole disk tell paths below it.
    { value: dirs.cwd.slice(1), name: "${cwd-below-root}" },
    { value: new URL(server.url).host, name: "${api}" },
  ];
  let recorder: Recorder | undefined;
  const gateway = new Gateway({
    store,
    host: new LocalAgentHost({ env }),
    programs: new AgentPrograms({ overrides: { [agent.id]: { command: installed.path, args: installed.args ?? [] } } }),
    log,
    env,
    // The trace is of the session that was made last: a fork, where there is one.
    tap: (seed, forkedFrom) => {
      recorder = new Recorder(adapterOf(agent.id), seed, placeholders, forkedFrom);
      return recorder;
    },
  });
  const stopPolicy = startPolicy({ store, desk: gateway, log });
  const problems: string[] = [];
  try {
    await within(agent.timeoutMs ?? SCENARIO_TIMEOUT_MS, drive(run, gateway, store));
  } finally {
    for (const kind of unknownKinds(gateway)) problems.push(`the CLI sent frames of the unknown kind ${kind}`);
    await gateway.close();
    stopPolicy();
    store.close();
  }
  const { takenOver } = scenario;
  if (takenOver) {
    const left = { agentID: agent.id, installed, dirs, env, model: server };
    await within(SCENARIO_TIMEOUT_MS, takeOver(left, takenOver));
  }
  problems.push(...server.problems, ...server.unserved);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  if (!recorder) throw new Error("no session was created");
  const { name, title, requirements } = scenario;
  const trace = recorder.trace({ name, title, requirements: [...requirements], agentVersion: installed.version });
  if (JSON.stringify(trace).includes(basename(root)))
    throw new Error("a path of this machine is left in the trace: a delta cuts it in two");
  return trace;
}

async function drive(run: Run, gateway: Gateway, store: ReturnType<typeof openStore>): Promise<void> {
  const { agent, scenario, server, dirs } = run;
  const { session } = await gateway.handle("session.create", {
    agent: agent.id,
    directory: dirs.cwd,
    ...modelOf(run),
    ...(scenario.session?.mode && { mode: scenario.session.mode }),
    ...(scenario.session?.permission && { permission: [...scenario.session.permission] }),
    ...(scenario.session?.mcpServers && { mcpServers: stdioServers(scenario.session.mcpServers) }),
    ...(scenario.session?.tools && { tools: [...scenario.session.tools] }),
  });
  await scenario.drive(new LiveDriver(gateway, store, session.id, server, dirs));
}

function modelOf({ agent, scenario }: Run): { model?: string } {
  const model = scenario.session?.model ?? agent.model;
  return model === undefined ? {} : { model };
}

function stdioServers(servers: Readonly<Record<string, StdioServer>>) {
  const entries = Object.entries(servers).map(([name, { command, args }]) => [
    name,
    { type: "stdio" as const, command, args: [...args] },
  ]);
  return Object.fromEntries(entries);
}

function unknownKinds(gateway: Gateway): string[] {
  return gateway.liveSessions().flatMap((live) => [...live.diagnostics.unknownKinds.keys()]);
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the scenario did not end within ${ms / 1000} s`)), ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
