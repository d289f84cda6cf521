import { join } from "node:path";
import { z } from "zod";
import { readOrCreateToken } from "../../server/token-file.js";
import { WebSocketServer } from "../../server/websocket-server.js";
import { openGateway, stateFolder } from "../open-gateway.js";
import { ProgramFlags, parseOptions } from "../parse-options.js";
import { readAgents } from "../read-agents.js";
import { readRules } from "../read-rules.js";
import { untilSignal } from "../until-signal.js";
import type { Verb } from "../verb.js";

const DEFAULT_PORT = 4750;

const FLAGS = {
  port: { type: "string" },
  host: { type: "string" },
  "token-file": { type: "string" },
  "allow-remote": { type: "boolean" },
  "allow-host": { type: "string", multiple: true },
  "allow-origin": { type: "string", multiple: true },
  db: { type: "string" },
  program: { type: "string", multiple: true },
  rules: { type: "string" },
  agents: { type: "string" },
  "log-level": { type: "string" },
} as const;

const Options = z.object({
  port: z.coerce.number().int().min(0).max(65535).default(DEFAULT_PORT),
  host: z.string().default("127.0.0.1"),
  "token-file": z.string().default(() => join(stateFolder(), "token")),
  "allow-remote": z.boolean().default(false),
  "allow-host": z.array(z.string()).default([]),
  "allow-origin": z.array(z.string()).default([]),
  db: z.string().default(() => join(stateFolder(), "agentwire.db")),
  program: ProgramFlags,
  rules: z.string().optional(),
  agents: z.string().optional(),
  "log-level": z.string().default("info"),
});

export const verb: Verb = {
  summary: "serve any number of clients over a WebSocket",
  usage: `usage: agentwire serve [options]

Serves JSON-RPC 2.0 over a WebSocket until it is ended by a signal.

  --port N             default ${DEFAULT_PORT}; 0 takes a free one
  --host HOST          default 127.0.0.1; another needs --allow-remote
  --token-file FILE    the bearer token, made when missing; only its owner may read it
  --allow-remote       listen where other machines can connect
  --allow-host NAME    a name clients call this server by, beside the loopback ones; may repeat
  --allow-origin URL   a web page's origin that may connect; may repeat
  --db FILE            the database of sessions; ":memory:" forgets them
  --program AGENT=PATH the agent's program; may repeat
  --rules FILE         permission rules for every session, a JSON list of {permission, pattern, action}
  --agents FILE        agents to declare: {"agents": {"mycli": {"protocol": "acp", "command": ["mycli", "--acp"]}}}
  --log-level LEVEL    trace | debug | info (default) | warn | error | silent`,
  run: async (args) => {
    const { options } = parseOptions(args, FLAGS, Options);
    const rules = readRules(options.rules);
    const agents = readAgents(options.agents);
    const token = readOrCreateToken(options["token-file"]);
    const open = openGateway({
      db: options.db,
      programs: options.program,
      agents,
      rules,
      logLevel: options["log-level"],
    });
    try {
      const server = await WebSocketServer.listen(open.core, {
        host: options.host,
        port: options.port,
        token,
        allowRemote: options["allow-remote"],
        allowedHosts: options["allow-host"],
        allowedOrigins: options["allow-origin"],
      });
      process.stdout.write(`agentwire serves ${server.url} (token in ${options["token-file"]})\n`);
      await untilSignal();
      await server.close();
      return 0;
    } finally {
      await open.close();
    }
  },
};
