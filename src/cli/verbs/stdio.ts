import { z } from "zod";
import { serveStdio } from "../../server/stdio-server.js";
import { createLog } from "../create-log.js";
import { logLevelOption } from "../log-level.js";
import { openGateway } from "../open-gateway.js";
import { ProgramFlags, parseOptions } from "../parse-options.js";
import { readAgents } from "../read-agents.js";
import { readRules } from "../read-rules.js";
import { untilSignal } from "../until-signal.js";
import type { Verb } from "../verb.js";

const FLAGS = {
  db: { type: "string" },
  program: { type: "string", multiple: true },
  rules: { type: "string" },
  agents: { type: "string" },
  "log-level": { type: "string" },
} as const;

const Options = z.object({
  db: z.string().default(":memory:"),
  program: ProgramFlags,
  rules: z.string().optional(),
  agents: z.string().optional(),
  "log-level": logLevelOption("warn"),
});

export const verb: Verb = {
  summary: "serve one client on standard input and output",
  usage: `usage: agentwire stdio [options]

Speaks JSON-RPC 2.0, one message a line, until its input ends. The log goes to standard error.

  --db FILE            the database of sessions; they are forgotten without one
  --program AGENT=PATH the agent's program; may repeat
  --rules FILE         permission rules for every session, a JSON list of {permission, pattern, action}
  --agents FILE        agents to declare: {"agents": {"mycli": {"protocol": "acp", "command": ["mycli", "--acp"]}}}
  --log-level LEVEL    trace | debug | info | warn (default) | error | silent`,
  run: async (args) => {
    const { options } = parseOptions(args, FLAGS, Options);
    const rules = readRules(options.rules);
    const agents = readAgents(options.agents);
    const open = openGateway({
      db: options.db,
      programs: options.program,
      agents,
      rules,
      log: createLog({ level: options["log-level"] }),
    });
    const stop = new AbortController();
    void untilSignal().then(() => stop.abort());
    try {
      await serveStdio(open.core, { input: process.stdin, output: process.stdout, signal: stop.signal });
      return 0;
    } finally {
      await open.close();
    }
  },
};
