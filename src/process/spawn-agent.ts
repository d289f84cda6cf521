import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import spawn from "cross-spawn";
import type { AgentListener, LocalProcess, SpawnSpec } from "./agent-host.js";
import { AgentReporter, type ReporterContext } from "./agent-reporter.js";
import { buildEnvironment, type Variables } from "./environment.js";
import { explainSpawnError } from "./explain-spawn-error.js";
import { FailedAgent } from "./failed-agent.js";
import { createAccess } from "./http-access.js";
import { isStarted, RunningAgent, type RunningContext } from "./running-agent.js";

export interface SpawnContext extends ReporterContext, RunningContext {
  /** The environment to inherit from. */
  readonly env: Variables;
}

/** Starts a program, with pipes and without a shell. Whatever goes wrong is told by an exit, never thrown. */
export function spawnAgent(spec: SpawnSpec, listener: AgentListener, context: SpawnContext): LocalProcess {
  const reporter = new AgentReporter(listener, context);
  const access = spec.http && createAccess(spec.http);
  const env = buildEnvironment(context.env, { ...spec.env, ...access?.env });
  const explain = (error: Error) => explainSpawnError(error, spec, env);
  const opened = openChild(spec, env);
  if (opened instanceof Error) return new FailedAgent(context.epoch, reporter, explain(opened));
  if (isStarted(opened)) return new RunningAgent(opened, reporter, { ...context, spec, access, explain });
  return new FailedAgent(context.epoch, reporter, readFailure(opened).then(explain));
}

/** Some failures are thrown (a NUL in an argument, arguments too long), others come as an event. */
function openChild(spec: SpawnSpec, env: Record<string, string>): ChildProcess | Error {
  try {
    return spawn(spec.command, [...spec.commandArgs, ...spec.args], {
      cwd: spec.directory,
      env,
      stdio: ["pipe", "pipe", "pipe"],
      // A process group of its own, to be signalled as one. On Windows it would open a console window instead.
      detached: process.platform !== "win32",
      shell: false,
      windowsHide: true,
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function readFailure(child: ChildProcess): Promise<Error> {
  const [error] = await once(child, "error");
  return error;
}
