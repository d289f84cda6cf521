import { z } from "zod";
import { GatewayError } from "../../gateway-error.js";
import { formatDuration } from "../format-duration.js";
import { type GatewayStatus, readGatewayStatus } from "../gateway-status.js";
import { parseOptions } from "../parse-options.js";
import { listServerRecords, readServerRecord, type ServerRecord } from "../server-record.js";
import type { Verb } from "../verb.js";

/** How long a gateway may take to answer, in milliseconds. */
const ANSWER_MS = 3000;

const FLAGS = { db: { type: "string" }, json: { type: "boolean" } } as const;
const Options = z.object({ db: z.string().min(1).optional(), json: z.boolean().default(false) });

/** A gateway's record with what it says of itself, or why it says nothing. */
interface Found {
  readonly record: ServerRecord;
  readonly answer: GatewayStatus | { readonly error: string };
}

export const verb: Verb = {
  summary: "tell which gateways run, and what they do",
  usage: `usage: agentwire status [--db FILE] [--json]

Tells of every gateway of "serve" that runs: its process, addresses, database, version, and its sessions: how many there are,
are at work, and wait for an answer.

  --db FILE  only the gateway of this database
  --json     one line of JSON for each

Exits with 3 where none runs, and with 1 where one does not answer.`,
  run: async (args) => {
    const { options } = parseOptions(args, FLAGS, Options);
    const records = options.db === undefined ? listServerRecords() : [readServerRecord(options.db)];
    const found = await Promise.all(records.filter((record) => record !== undefined).map(ask));
    if (found.length === 0) throw notRunning(options.db);
    for (const one of found) process.stdout.write(options.json ? `${JSON.stringify(dataOf(one))}\n` : textOf(one));
    return found.some(({ answer }) => "error" in answer) ? 1 : 0;
  },
};

async function ask(record: ServerRecord): Promise<Found> {
  try {
    return { record, answer: await readGatewayStatus(record, ANSWER_MS) };
  } catch (error) {
    return { record, answer: { error: error instanceof Error ? error.message : String(error) } };
  }
}

function notRunning(db: string | undefined): GatewayError {
  const which = db === undefined ? "no gateway runs" : `no gateway serves ${db}`;
  return new GatewayError("not_found", which, { hint: 'start one with "agentwire serve --daemon"' });
}

function dataOf({ record, answer }: Found): object {
  return { ...record, uptimeMs: Date.now() - record.startedAt, ...answer };
}

function textOf({ record, answer }: Found): string {
  const { version, pid, startedAt, url, socket, tokenFile, db } = record;
  const rows = {
    address: socket === undefined ? url : `${url} and unix:${socket}`,
    token: tokenFile,
    database: db,
    sessions:
      "error" in answer
        ? `unknown: ${answer.error}`
        : `${answer.sessions}, ${answer.working} at work, ${answer.blocked} waiting for an answer`,
  };
  const lines = Object.entries(rows).map(([name, value]) => `  ${name.padEnd(9)} ${value}\n`);
  return `agentwire ${version}, process ${pid}, up ${formatDuration(Date.now() - startedAt)}\n${lines.join("")}`;
}
