import { z } from "zod";
import { GatewayError } from "../../gateway-error.js";
import { parseOptions } from "../parse-options.js";
import { listServerRecords, readServerRecord } from "../server-record.js";
import { defaultDatabase } from "../state-folder.js";
import { stopGateway } from "../stop-gateway.js";
import type { Verb } from "../verb.js";

/** Longer than the kill ladder of an agent that does not listen. */
const DEFAULT_TIMEOUT_SECONDS = 30;

const FLAGS = { db: { type: "string" }, "keep-agents": { type: "boolean" }, timeout: { type: "string" } } as const;
const Options = z.object({
  db: z.string().min(1).default(defaultDatabase),
  "keep-agents": z.boolean().default(false),
  timeout: z.coerce.number().positive().max(86_400).default(DEFAULT_TIMEOUT_SECONDS),
});

export const verb: Verb = {
  summary: "end a gateway that runs",
  usage: `usage: agentwire stop [options]

Ends the gateway of "serve" that serves a database, and waits until it is gone. Its agents are ended in good order, too: what
they were at is closed and stored, and the next prompt of a session brings its agent back with its history. On
Windows no process can be asked to end: there it is ended at once, and its agents go on as with --keep-agents.

  --db FILE        the database it serves; default: the one that serve takes by default
  --keep-agents    leave the agents at work: a gateway that is started soon goes on with them, and without one they
                   end after the time that serve was given as --keep-agents
  --timeout SECS   how long to wait, default ${DEFAULT_TIMEOUT_SECONDS}`,
  run: async (args) => {
    const { options } = parseOptions(args, FLAGS, Options);
    const record = readServerRecord(options.db);
    if (!record) throw notRunning(options.db);
    await stopGateway(record, { keepAgents: options["keep-agents"], timeoutMs: options.timeout * 1000 });
    process.stdout.write(`the gateway (process ${record.pid}) has ended\n`);
    return 0;
  },
};

function notRunning(db: string): GatewayError {
  const others = listServerRecords().map((record) => record.db);
  const hint = others.length === 0 ? "none runs at all" : `name another with --db: ${others.join(", ")}`;
  return new GatewayError("not_found", `no gateway serves ${db}`, { hint });
}
