import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import type { PendingBlock, Session } from "../../../schemas/index.js";
import type { Client } from "../../client/index.js";
import { GATEWAY_FLAGS, GATEWAY_SHAPE } from "../gateway-options.js";
import { parseOptions } from "../parse-options.js";
import { withGateway } from "../reach-gateway.js";
import { formatAge } from "../terminal/format-age.js";
import { formatTable } from "../terminal/format-table.js";
import { UsageError } from "../usage-error.js";
import { writeOut } from "../write-out.js";
import { blocksByRoot, statusOf } from "./describe-session.js";
import { listRoots } from "./list-roots.js";

const DEFAULT_LIMIT = 50;

const FLAGS = {
  ...GATEWAY_FLAGS,
  json: { type: "boolean" },
  agent: { type: "string" },
  directory: { type: "string" },
  archived: { type: "boolean" },
  limit: { type: "string" },
} as const;

const Options = z.object({
  ...GATEWAY_SHAPE,
  json: z.boolean().default(false),
  agent: z.string().min(1).optional(),
  directory: z.string().min(1).optional(),
  archived: z.boolean().default(false),
  limit: z.coerce.number().int().min(1).default(DEFAULT_LIMIT),
});
type Options = z.infer<typeof Options>;

export async function action(args: readonly string[]): Promise<number> {
  const { options, positionals } = parseOptions(args, FLAGS, Options);
  if (positionals.length > 0) throw new UsageError(`there is no action "${positionals[0]}"`);
  const [sessions, blocks] = await withGateway(options, (client) => read(client, options));
  await writeOut(options.json ? toLines(sessions, blocks) : toTable(sessions, blocks));
  return 0;
}

async function read(client: Client, options: Options): Promise<[Session[], Map<string, PendingBlock[]>]> {
  const { agent, directory, archived, limit } = options;
  const query = {
    archived,
    ...(agent !== undefined && { agent }),
    ...(directory !== undefined && { directory: realPath(directory) }),
  };
  return [await listRoots(client, query, limit), await blocksByRoot(client)];
}

/** As the gateway knows directories, where it is on this machine. */
function realPath(directory: string): string {
  return existsSync(directory) ? realpathSync(directory) : resolve(directory);
}

function toLines(sessions: readonly Session[], blocks: ReadonlyMap<string, PendingBlock[]>): string {
  return sessions.map((session) => `${JSON.stringify({ session, blocks: blocks.get(session.id) ?? [] })}\n`).join("");
}

function toTable(sessions: readonly Session[], blocks: ReadonlyMap<string, PendingBlock[]>): string {
  if (sessions.length === 0) return "no sessions\n";
  const now = Date.now();
  const rows = sessions.map((session) => [
    session.id,
    session.agent,
    statusOf(session, blocks.get(session.id) ?? []),
    formatAge(now - session.time.created),
    session.directory,
    session.title,
  ]);
  return formatTable([["session", "agent", "status", "age", "directory", "title"], ...rows]);
}
