import { join } from "node:path";
import { z } from "zod";
import { createRedactor } from "../../redact.js";
import { GatewayServer } from "../../server/gateway-server.js";
import { readOrCreateToken } from "../../server/token-file.js";
import { createLog } from "../create-log.js";
import { logLevelOption } from "../log-level.js";
import { type OpenGateway, openGateway } from "../open-gateway.js";
import { packageVersion } from "../package-info.js";
import { ProgramFlags, parseOptions } from "../parse-options.js";
import { readAgents } from "../read-agents.js";
import { readRules } from "../read-rules.js";
import { openServeHost } from "../serve-host.js";
import { stateFolder } from "../state-folder.js";
import { untilSignal } from "../until-signal.js";
import type { Verb } from "../verb.js";

const DEFAULT_PORT = 4750;
const DEFAULT_KEEP_SECONDS = 300;

const FLAGS = {
  port: { type: "string" },
  host: { type: "string" },
  socket: { type: "string" },
  "token-file": { type: "string" },
  "allow-remote": { type: "boolean" },
  "allow-host": { type: "string", multiple: true },
  "allow-origin": { type: "string", multiple: true },
  db: { type: "string" },
  program: { type: "string", multiple: true },
  rules: { type: "string" },
  replace: { type: "boolean" },
  "keep-agents": { type: "string" },
  agents: { type: "string" },
  "log-level": { type: "string" },
} as const;

const Options = z.object({
  port: z.coerce.number().int().min(0).max(65535).default(DEFAULT_PORT),
  host: z.string().default("127.0.0.1"),
  socket: z.string().min(1).optional(),
  "token-file": z.string().default(() => join(stateFolder(), "token")),
  "allow-remote": z.boolean().default(false),
  "allow-host": z.array(z.string()).default([]),
  "allow-origin": z.array(z.string()).default([]),
  db: z.string().default(() => join(stateFolder(), "agentwire.db")),
  program: ProgramFlags,
  rules: z.string().optional(),
  replace: z.boolean().default(false),
  "keep-agents": z.coerce.number().min(0).default(DEFAULT_KEEP_SECONDS),
  agents: z.string().optional(),
  "log-level": logLevelOption("info"),
});

type Options = z.infer<typeof Options>;

export const verb: Verb = {
  summary: "serve any number of clients over HTTP and WebSocket",
  usage: `usage: agentwire serve [options]

Serves JSON-RPC 2.0 over a WebSocket, and the same requests as HTTP with events as a stream, until it is ended by a signal.

  --port N             default ${DEFAULT_PORT}; 0 takes a free one
  --host HOST          default 127.0.0.1; another needs --allow-remote
  --socket PATH        serve on a unix socket, too, which only its owner may use: no token is asked for there
  --token-file FILE    the bearer token, made when missing; only its owner may read it
  --allow-remote       listen where other machines can connect
  --allow-host NAME    a name clients call this server by, beside the loopback ones; may repeat
  --allow-origin URL   a web page's origin that may connect; may repeat
  --db FILE            the database of sessions; ":memory:" forgets them
  --program AGENT=PATH the agent's program; may repeat
  --rules FILE         permission rules for every session, a JSON list of {permission, pattern, action}
  --replace            take over from the gateway that serves this database now; no turn ends
  --keep-agents SECS   how long agents go on when the gateway is killed, default ${DEFAULT_KEEP_SECONDS}; 0: they end with it
  --agents FILE        agents to declare: {"agents": {"mycli": {"protocol": "acp", "command": ["mycli", "--acp"]}}}
  --log-level LEVEL    trace | debug | info (default) | warn | error | silent`,
  run: async (args) => {
    const { options } = parseOptions(args, FLAGS, Options);
    const rules = readRules(options.rules);
    const agents = readAgents(options.agents);
    const token = readOrCreateToken(options["token-file"]);
    const redact = createRedactor({ secrets: [token] });
    const log = createLog({ level: options["log-level"], redact });
    const { host, replaced } = await openServeHost({
      log,
      db: options.db,
      takeOver: options.replace,
      graceMs: options["keep-agents"] * 1000,
    });
    const open = openGateway({ db: options.db, programs: options.program, agents, rules, log, redact, host });
    let isReplaced = false;
    try {
      const servers = await listen(open, options, token);
      const addresses = servers.map(({ url }) => url).join(" and ");
      log.info({ version: packageVersion(), pid: process.pid, db: options.db, addresses }, "the gateway serves");
      process.stdout.write(`agentwire serves ${addresses} (token in ${options["token-file"]})\n`);
      isReplaced = (await Promise.race([untilSignal(), replaced])) === "replaced";
      log.info({ isReplaced }, "the gateway stops");
      await Promise.all(servers.map((server) => server.close()));
      return 0;
    } finally {
      if (isReplaced) open.leave();
      else await open.close();
    }
  },
};

/** The port first: when it is taken, no socket is left behind. */
async function listen({ core }: OpenGateway, options: Options, token: string): Promise<GatewayServer[]> {
  const allowedOrigins = options["allow-origin"];
  const port = await GatewayServer.listen(core, {
    host: options.host,
    port: options.port,
    token,
    allowRemote: options["allow-remote"],
    allowedHosts: options["allow-host"],
    allowedOrigins,
  });
  if (options.socket === undefined) return [port];
  try {
    return [port, await GatewayServer.listen(core, { socketPath: options.socket, allowedOrigins })];
  } catch (failed) {
    await port.close();
    throw failed;
  }
}
