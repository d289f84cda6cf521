import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { AnyAdapter } from "../../adapters/index.js";
import type { AgentInfo, Mode, Result } from "../../schemas/index.js";
import type { AgentPrograms } from "./agent-programs.js";

const VERSION_TIMEOUT_MS = 10_000;
const run = promisify(execFile);

/** Every agent there is an adapter for, with what was found of it on this machine. */
export async function describeAgents(programs: AgentPrograms): Promise<Result<"agent.list">> {
  return { agents: await Promise.all(programs.adapters().map((adapter) => describe(adapter, programs))) };
}

async function describe(adapter: AnyAdapter, programs: AgentPrograms): Promise<AgentInfo> {
  const program = programs.find(adapter.id);
  const { versionArgs } = adapter.program;
  const asks = program !== undefined && versionArgs.length > 0;
  const version = asks ? await readVersion(program.command, [...program.args, ...versionArgs]) : undefined;
  const modes = Object.entries(adapter.modes).map(([mode, { native, fidelity }]) => ({
    mode: mode as Mode,
    native,
    fidelity,
  }));
  return {
    id: adapter.id,
    name: adapter.name,
    capabilities: [...adapter.capabilities],
    testedVersion: adapter.testedVersion,
    ...(program && { path: program.command }),
    ...(version && { version }),
    modes,
  };
}

/** The first word with a digit of what the program prints; undefined when it does not say. */
async function readVersion(command: string, args: string[]): Promise<string | undefined> {
  try {
    const { stdout } = await run(command, args, { timeout: VERSION_TIMEOUT_MS, encoding: "utf8" });
    return stdout.split(/\s+/).find((word) => /\d/.test(word));
  } catch {
    return undefined;
  }
}
