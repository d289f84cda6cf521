import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ADAPTERS, type AnyAdapter } from "../../adapters/index.js";
import { GatewayError } from "../gateway-error.js";

/** A program to start: `args` stand before those of the adapter. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** An agent that somebody declared: its adapter, and the program to start. */
export interface DeclaredProgram {
  readonly adapter: AnyAdapter;
  readonly program: Program;
}

export interface AgentProgramsOptions {
  /** Agents beside those there are adapters for, by id. */
  readonly declared?: Readonly<Record<string, DeclaredProgram>>;
  /** Programs to take instead of those that would be found, by agent id. */
  readonly overrides?: Readonly<Record<string, Program>>;
  /** Folder of agents that were installed for development: `<dir>/<any>/node_modules/<package>`. */
  readonly agentsDir?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Finds each agent's program: an override, then PATH, then the folder of installed agents. */
export class AgentPrograms {
  readonly #options: AgentProgramsOptions;

  constructor(options: AgentProgramsOptions = {}) {
    this.#options = options;
  }

  /** The adapter of an agent; throws `not_found` naming the agents there are. */
  adapterOf(agent: string): AnyAdapter {
    return this.#declared(agent)?.adapter ?? adapterOf(agent, Object.keys(this.#options.declared ?? {}));
  }

  /** Whether there is such an agent: a session may be of one that was declared only once. */
  knows(agent: string): boolean {
    return this.#declared(agent) !== undefined || Object.hasOwn(ADAPTERS, agent);
  }

  adapters(): AnyAdapter[] {
    const declared = Object.values(this.#options.declared ?? {});
    return [...Object.values(ADAPTERS), ...declared.map(({ adapter }) => adapter)];
  }

  find(agent: string): Program | undefined {
    const override = this.#options.overrides?.[agent] ?? this.#declared(agent)?.program;
    if (override) return override;
    const adapter = adapterOf(agent);
    const command = this.#onPath(adapter.program.command) ?? this.#installed(adapter);
    return command === undefined ? undefined : { command, args: [] };
  }

  /** Throws `agent_unavailable` with what to do. */
  require(agent: string): Program {
    const program = this.find(agent);
    if (program) return program;
    const { name, program: spec, testedVersion } = adapterOf(agent);
    const isNamed = Object.keys(spec.packages).length > 0;
    throw new GatewayError("agent_unavailable", `${name} was not found: there is no "${spec.command}" on PATH`, {
      hint: isNamed
        ? `install ${name} (tested with version ${testedVersion}) or put its program on PATH`
        : `name the agent's program, as with --program ${agent}=PATH`,
    });
  }

  #declared(agent: string): DeclaredProgram | undefined {
    const { declared = {} } = this.#options;
    return Object.hasOwn(declared, agent) ? declared[agent] : undefined;
  }

  #onPath(command: string): string | undefined {
    const env = this.#options.env ?? process.env;
    const names = process.platform === "win32" ? [`${command}.exe`, `${command}.cmd`, command] : [command];
    const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
    return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
  }

  #installed(adapter: AnyAdapter): string | undefined {
    const dir = this.#options.agentsDir;
    const native = adapter.program.packages[`${process.platform}-${process.arch}`];
    if (dir === undefined || !native) return undefined;
    const roots = listFolders(dir).map((folder) => join(dir, folder, "node_modules", native.name, native.file));
    return roots.find(isExecutable);
  }
}

/** The adapter of an agent that has one; throws `not_found` naming the agents there are, with others that are known. */
export function adapterOf(agent: string, others: readonly string[] = []): AnyAdapter {
  const adapter = Object.hasOwn(ADAPTERS, agent) ? ADAPTERS[agent] : undefined;
  if (adapter) return adapter;
  throw new GatewayError("not_found", `there is no agent "${agent}"`, {
    field: "agent",
    hint: `known agents: ${[...Object.keys(ADAPTERS), ...others].join(", ")}`,
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function listFolders(dir: string): string[] {
  try {
    // Folders are named for a version, and 2.1.10 is newer than 2.1.9.
    return readdirSync(dir).sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
  } catch {
    return [];
  }
}
