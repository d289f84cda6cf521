import { startDaemon } from "../daemon.js";
import { parseOptions } from "../parse-options.js";
import { serve } from "../serve.js";
import {
  DEFAULT_IDLE_MINUTES,
  DEFAULT_KEEP_SECONDS,
  DEFAULT_PORT,
  SERVE_FLAGS,
  ServeOptions,
} from "../serve-options.js";
import type { ServerRecord } from "../server-record.js";
import type { Verb } from "../verb.js";

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
  --keep-days N        delete sessions that nobody has used for N days, with their children; by default they are kept
  --agents FILE        agents to declare: {"agents": {"mycli": {"protocol": "acp", "command": ["mycli", "--acp"]}}}
  --log-level LEVEL    trace | debug | info (default) | warn | error | silent`,
  run: async (args) => {
    const { options } = parseOptions(args, SERVE_FLAGS, ServeOptions);
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
