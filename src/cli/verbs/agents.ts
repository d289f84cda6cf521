import { z } from "zod";
import type { AgentInfo } from "../../../schemas/index.js";
import { AgentPrograms } from "../../session/agent-programs.js";
import { describeAgents } from "../../session/describe-agents.js";
import { AGENTS_DIR } from "../open-gateway.js";
import { parseOptions } from "../parse-options.js";
import { readAgents } from "../read-agents.js";
import type { Verb } from "../verb.js";

const FLAGS = { json: { type: "boolean" }, agents: { type: "string" } } as const;
const Options = z.object({ json: z.boolean().default(false), agents: z.string().optional() });

export const verb: Verb = {
  summary: "list the agents: known, found, their versions",
  usage: `usage: agentwire agents [--json] [--agents FILE]

Lists every agent there is an adapter for: whether its program was found, its version, and the version tested with; and
those that the file declares.`,
  run: async (args) => {
    const { options } = parseOptions(args, FLAGS, Options);
    const { agents } = await describeAgents(
      new AgentPrograms({ agentsDir: AGENTS_DIR, declared: readAgents(options.agents) }),
    );
    process.stdout.write(options.json ? `${JSON.stringify(agents, null, 2)}\n` : agents.map(lineOf).join(""));
    return 0;
  },
};

function lineOf({ id, name, path, version, testedVersion }: AgentInfo): string {
  const found = path === undefined ? "not found" : `${version ?? "unknown version"} at ${path}`;
  return `${id.padEnd(12)} ${name.padEnd(18)} ${found} (tested with ${testedVersion})\n`;
}
