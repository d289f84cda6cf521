import { resolve } from "node:path";
import { GatewayError } from "../gateway-error.js";
import { createRedactor } from "../redact.js";
import { GatewayServer } from "../server/gateway-server.js";
import { readOrCreateToken } from "../server/token-file.js";
import { createLog } from "./create-log.js";
import { type OpenGateway, openGateway } from "./open-gateway.js";
import { packageVersion } from "./package-info.js";
import { readAgents } from "./read-agents.js";
import { readRules } from "./read-rules.js";
import { openServeHost } from "./serve-host.js";
import type { ServeOptions } from "./serve-options.js";
import { readServerRecord, type ServerAddress, type ServerRecord, writeServerRecord } from "./server-record.js";
import { MEMORY } from "./state-folder.js";
import { untilSignal } from "./until-signal.js";

/**
 * Serves until a signal or another gateway ends it. `onServing` hears, once, where clients find it. Throws `conflict`
 * where another gateway serves the database and is not to be replaced.
 */
export async function serve(options: ServeOptions, onServing: (record: ServerRecord) => void): Promise<void> {
  if (!options.replace && options.db !== MEMORY) refuseSecond(options.db);
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
  const open = openGateway({
    db: options.db,
    programs: options.program,
    agents,
    rules,
    log,
    redact,
    keepDays: options["keep-days"],
    idleMs: options["idle-minutes"] === 0 ? undefined : options["idle-minutes"] * 60_000,
    host,
  });
  // Whoever reads the record may end it at once.
  const ended = untilSignal(options.daemon ? ["SIGINT", "SIGTERM"] : undefined);
  let isReplaced = false;
  let removeRecord = () => {};
  try {
    const servers = await listen(open, options, token);
    const { record, remove } = writeServerRecord(addressOf(servers, options));
    removeRecord = remove;
    const { version, pid, db, url, socket } = record;
    log.info({ version, pid, db, url, socket }, "the gateway serves");
    onServing(record);
    isReplaced = (await Promise.race([ended, replaced])) === "replaced";
    log.info({ isReplaced }, "the gateway stops");
    await Promise.all(servers.map((server) => server.close()));
  } finally {
    if (isReplaced) open.leave();
    else await open.close();
    removeRecord();
  }
}

function refuseSecond(db: string): void {
  const running = readServerRecord(db);
  if (!running) return;
  const { pid, url } = running;
  throw new GatewayError("conflict", `a gateway (process ${pid}) serves ${db} already, at ${url}`, {
    hint: 'use that one, end it with "agentwire stop", or take over from it with --replace',
  });
}

/** The port first: when it is taken, no socket is left behind. */
async function listen({ core }: OpenGateway, options: ServeOptions, token: string): Promise<GatewayServer[]> {
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

function addressOf([port]: readonly GatewayServer[], { socket, db, ...options }: ServeOptions): ServerAddress {
  return {
    url: port?.url ?? "",
    ...(socket !== undefined && { socket: resolve(socket) }),
    tokenFile: resolve(options["token-file"]),
    db,
    version: packageVersion(),
  };
}
