import { join } from "node:path";
import { z } from "zod";
import { startDaemon } from "../daemon.js";
import { ProgramFlags, parseOptions } from "../parse-options.js";
import { serve } from "../serve.js";
import type { ServerRecord } from "../server-record.js";
import { defaultDatabase, gatewaySocketPath, stateFolder } from "../state-folder.js";
import type { Verb } from "../verb.js";

const DEFAULT_PORT = 4750;
const DEFAULT_KEEP_SECONDS = 300;
const DEFAULT_IDLE_MINUTES = 30;
/** A week: a timer cannot be set for more than 24 days. */
const MAX_IDLE_MINUTES = 7 * 24 * 60;

const FLAGS = {
  port: { type: "string" },
  host: { type: "string" },
  socket: { type: "string" },
  "no-socket": { type: "boolean" },
  "token-file": { type: "string" },
  "allow-remote": { type: "boolean" },
  "allow-host": { type: "string", multiple: true },
  "allow-origin": { type: "string", multiple: true },
  db: { type: "string" },
  program: { type: "string", multiple: true },
  rules: { type: "string" },
  replace: { type: "boolean" },
  daemon: { type: "boolean" },
  "keep-agents": { type: "string" },
  "idle-minutes": { type: "string" },
  agents: { type: "string" },
  "log-level": { type: "string" },
} as const;

const Options = z
  .object({
    port: z.coerce.number().int().min(0).max(65535).default(DEFAULT_PORT),
    host: z.string().default("127.0.0.1"),
    socket: z.string().min(1).optional(),
    "no-socket": z.boolean().default(false),
    "token-file": z.string().default(() => join(stateFolder(), "token")),
    "allow-remote": z.boolean().default(false),
    "allow-host": z.array(z.string()).default([]),
    "allow-origin": z.array(z.string()).default([]),
    db: z.string().default(defaultDatabase),
    program: ProgramFlags,
    rules: z.string().optional(),
    replace: z.boolean().default(false),
    daemon: z.boolean().default(false),
    "keep-agents": z.coerce.number().min(0).default(DEFAULT_KEEP_SECONDS),
    "idle-minutes": z.coerce.number().min(0).max(MAX_IDLE_MINUTES).default(DEFAULT_IDLE_MINUTES),
    agents: z.string().optional(),
    "log-level": z.string().default("info"),
  })
  .refine((options) => !options["no-socket"] || options.socket === undefined, {
    path: ["no-socket"],
    message: "takes back what --socket asks for",
  })
  .transform(({ "no-socket": isUnwanted, ...options }) => ({
    ...options,
    socket: isUnwanted ? undefined : (options.socket ?? gatewaySocketPath(options.db)),
  }));

export type ServeOptions = z.infer<typeof Options>;

export const verb: Verb = {
  summary: "serve any number of clients over HTTP and WebSocket",
  usage: `usage: agentwire serve [options]

Serves JSON-RPC 2.0 over a WebSocket, and the same requests as HTTP with events as a stream, until it is ended by a signal.

  --port N             default ${DEFAULT_PORT}; 0 takes a free one
  --host HOST          default 127.0.0.1; another needs --allow-remote
  --socket PATH        the unix socket that it serves on, too, which only its owner may use: no token is asked for
                       there. Default: one in the state folder, named after the database; none on Windows
  --no-socket          serve on no unix socket
  --token-file FILE    the bearer token, made when missing; only its owner may read it
  --allow-remote       listen where other machines can connect
  --allow-host NAME    a name clients call this server by, beside the loopback ones; may repeat
  --allow-origin URL   a web page's origin that may connect; may repeat
  --db FILE            the database of sessions; ":memory:" forgets them
  --program AGENT=PATH the agent's program; may repeat
  --rules FILE         permission rules for every session, a JSON list of {permission, pattern, action}
  --daemon             serve in the background: returns when it serves. See also "agentwire status" and "agentwire stop"
  --replace            take over from the gateway that serves this database now; no turn ends
  --keep-agents SECS   how long agents go on when the gateway is killed, default ${DEFAULT_KEEP_SECONDS}; 0: they end with it
  --idle-minutes N     end an agent whose session was not used for so long, default ${DEFAULT_IDLE_MINUTES}; the next prompt brings it
                       back with its history; 0: never
  --agents FILE        agents to declare: {"agents": {"mycli": {"protocol": "acp", "command": ["mycli", "--acp"]}}}
  --log-level LEVEL    trace | debug | info (default) | warn | error | silent`,
  run: async (args) => {
    const { options } = parseOptions(args, FLAGS, Options);
    if (options.daemon) {
      const { record, logFile } = await startDaemon(options);
      process.stdout.write(`${lineOf(record)}\nprocess ${record.pid}, log in ${logFile}\n`);
    } else {
      await serve(options, (record) => void process.stdout.write(`${lineOf(record)}\n`));
    }
    return 0;
  },
};

function lineOf({ url, socket, tokenFile }: ServerRecord): string {
  return `agentwire serves ${socket === undefined ? url : `${url} and unix:${socket}`} (token in ${tokenFile})`;
}
