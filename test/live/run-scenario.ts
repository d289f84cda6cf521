import { basename, join } from "node:path";
import pino from "pino";
import { Recorder } from "../../src/conformance/recorder.js";
import type { Trace } from "../../src/conformance/trace.js";
import { startPolicy } from "../../src/policy/policy.js";
import { LocalAgentHost } from "../../src/process/local-agent-host.js";
import { AgentPrograms, adapterOf } from "../../src/session/agent-programs.js";
import { Gateway } from "../../src/session/gateway.js";
import { NativeLocks } from "../../src/session/native-locks.js";
import { openStore } from "../../src/store/open-store.js";
import { LiveDriver } from "./live-driver.js";
import { type Cast, onStage, type Stage, sessionParams, within } from "./stage.js";
import { takeOver } from "./take-over.js";

const SCENARIO_TIMEOUT_MS = 60_000;

/** Lets one scenario happen with the real CLI, and returns its trace. Throws when the story did not go as told. */
export function runScenario(cast: Cast): Promise<Trace> {
  return onStage(cast, play);
}

async function play(stage: Stage): Promise<Trace> {
  const { agent, scenario, installed, dirs, server, root, env, placeholders } = stage;
  const store = openStore({ path: ":memory:" });
  const log = pino({ level: "silent" });
  let recorder: Recorder | undefined;
  const gateway = new Gateway({
    store,
    host: new LocalAgentHost({ env }),
    locks: new NativeLocks(join(root, "locks")),
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
    await within(agent.timeoutMs ?? SCENARIO_TIMEOUT_MS, drive(stage, gateway, store));
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

async function drive(stage: Stage, gateway: Gateway, store: ReturnType<typeof openStore>): Promise<void> {
  const { scenario, server, dirs } = stage;
  const { session } = await gateway.handle("session.create", sessionParams(stage));
  await scenario.drive(new LiveDriver(gateway, store, session.id, server, dirs));
}

function unknownKinds(gateway: Gateway): string[] {
  return gateway.liveSessions().flatMap((live) => [...live.diagnostics.unknownKinds.keys()]);
}
