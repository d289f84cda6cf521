import { readFileSync } from "node:fs";
import { z } from "zod";
import { ADAPTERS, PROTOCOLS } from "../../adapters/index.js";
import type { DeclaredProgram } from "../session/agent-programs.js";
import { UsageError } from "./usage-error.js";

const word = z.string().min(1);
const Declaration = z.strictObject({
  protocol: z.enum(Object.keys(PROTOCOLS)),
  command: z.tuple([word], z.string()),
  name: word.optional(),
  env: z.record(word, z.string()).default({}),
});
const AgentsFile = z.strictObject({ agents: z.record(z.string(), Declaration) });
type Declaration = z.infer<typeof Declaration>;

/** The agents that a JSON file declares, by the protocol they speak. None without a file. */
export function readAgents(path: string | undefined): Record<string, DeclaredProgram> {
  if (path === undefined) return {};
  const result = AgentsFile.safeParse(parse(path));
  if (!result.success) throw new UsageError(`--agents ${path}: ${z.prettifyError(result.error)}`);
  const entries = Object.entries(result.data.agents);
  for (const [id] of entries) checkID(id, path);
  return Object.fromEntries(entries.map(([id, agent]) => [id, declare(id, agent)]));
}

function checkID(id: string, path: string): void {
  if (!/^[a-z][a-z0-9-]*$/.test(id))
    throw new UsageError(`--agents ${path}: the name "${id}" must be of small letters, digits and dashes`);
  if (Object.hasOwn(ADAPTERS, id)) throw new UsageError(`--agents ${path}: there is an agent "${id}" already`);
}

function declare(id: string, { protocol, command: [command, ...args], name = id, env }: Declaration): DeclaredProgram {
  const adapterFor = PROTOCOLS[protocol];
  if (!adapterFor) throw new UsageError(`there is no protocol "${protocol}"`);
  return { adapter: adapterFor({ id, name, command, env }), program: { command, args } };
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new UsageError(`--agents ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
