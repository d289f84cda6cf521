import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import pino from "pino";

import { directoryPlaceholders } from "../../src/conformance/placeholders.js";
import { Recorder } from "../../src/conformance/recorder.js";
import type { Trace } from "../../src/conformance/trace.js";
import { startPolicy } from "../../src/policy/policy.js";
import { LocalAgentHost } from "../../src/process/local-agent-host.js";
import { AgentPrograms, adapterOf } from "../../src/session/agent-programs.js";
import { Gateway } from "../../src/session/gateway.js";
import { openStore } from "../../src/store/open-store.js";
import { AnthropicServer } from "./anthropic/server.js";
import { CLAUDE_MODEL, type ClaudeScenario } from "./claude/claude-scenario.js";
import type { InstalledAgent } from "./install.js";
import { LiveDriver } from "./live-driver.js";
import type { ScenarioDirs } from "./scenario.js";

const SCENARIO_TIMEOUT_MS = 60_000;

/** Only loopback is reached: no telemetry, no update, a key that is none. */
const OFFLINE = {
  LANG: "C.UTF-8",
  TERM: "dumb",
  SHELL: "/bin/bash",
  ANTHROPIC_API_KEY: "test-key",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  DISABLE_AUTOUPDATER: "1",
};

/** Lets one scenario happen with the real CLI, and returns its trace. Throws when the story did not go as told. */
export async function runScenario(scenario: ClaudeScenario, agent: InstalledAgent): Promise<Trace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "aw-")));
  const dirs = { home: join(root, "home"), cwd: join(root, "work") };
  try {
    await mkdir(join(dirs.home, "tmp"), { recursive: true });
    await mkdir(dirs.cwd);
    await scenario.setup?.(dirs);
    const server = await AnthropicServer.start(scenario.script(dirs));
    try {
      return await play(scenario, agent, dirs, server, root);
    } finally {
      await server.close();
    }
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function play(
  scenario: ClaudeScenario,
  agent: InstalledAgent,
  dirs: ScenarioDirs,
  server: AnthropicServer,
  root: string,
): Promise<Trace> {
  const env = {
    PATH: process.env.PATH,
    HOME: dirs.home,
    TMPDIR: join(dirs.home, "tmp"),
    ANTHROPIC_BASE_URL: server.url,
    ...OFFLINE,
    ...scenario.env,
  };
  const store = openStore({ path: ":memory:" });
  const log = pino({ level: "silent" });
  const placeholders = [
    ...directoryPlaceholders(dirs.cwd, dirs.home),
    { value: root, name: "${root}" },
    { value: new URL(server.url).host, name: "${api}" },
  ];
  let recorder: Recorder | undefined;
  const gateway = new Gateway({
    store,
    host: new LocalAgentHost({ env }),
    programs: new AgentPrograms({ overrides: { claude: { command: agent.path, args: [] } } }),
    log,
    env,
    tap: (seed) => {
      recorder = new Recorder(adapterOf("claude"), seed, placeholders);
      return recorder;
    },
  });
  const stopPolicy = startPolicy({ store, desk: gateway, log });
  const problems: string[] = [];
  try {
    await within(SCENARIO_TIMEOUT_MS, drive(scenario, gateway, store, server, dirs));
  } finally {
    for (const kind of unknownKinds(gateway)) problems.push(`the CLI sent frames of the unknown kind ${kind}`);
    await gateway.close();
    stopPolicy();
    store.close();
  }
  problems.push(...server.problems, ...server.unserved);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  if (!recorder) throw new Error("no session was created");
  const { name, title, requirements } = scenario;
  const trace = recorder.trace({ name, title, requirements: [...requirements], agentVersion: agent.version });
  if (JSON.stringify(trace).includes(basename(root)))
    throw new Error("a path of this machine is left in the trace: a delta cuts it in two");
  return trace;
}

async function drive(
  scenario: ClaudeScenario,
  gateway: Gateway,
  store: ReturnType<typeof openStore>,
  server: AnthropicServer,
  dirs: ScenarioDirs,
): Promise<void> {
  const { session } = await gateway.handle("session.create", {
    agent: "claude",
    directory: dirs.cwd,
    model: scenario.session?.model ?? CLAUDE_MODEL,
    ...(scenario.session?.mode && { mode: scenario.session.mode }),
    ...(scenario.session?.permission && { permission: [...scenario.session.permission] }),
  });
  await scenario.drive(new LiveDriver(gateway, store, session.id, server, dirs));
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
