import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, fchmodSync, mkdirSync, openSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { GatewayError } from "../gateway-error.js";
import type { ServeOptions } from "./serve-options.js";
import type { ServerRecord } from "./server-record.js";
import { databaseName, MEMORY, stateFolder } from "./state-folder.js";
import { UsageError } from "./usage-error.js";

/** What the process says to the one that started it: once, and then it is on its own. */
export type DaemonMessage =
  | { readonly type: "serving"; readonly record: ServerRecord }
  | { readonly type: "misused"; readonly message: string }
  | { readonly type: "failed"; readonly error: Pick<GatewayError, "kind" | "message" | "detail"> };

export interface Daemon {
  readonly record: ServerRecord;
  /** Where its log is appended. */
  readonly logFile: string;
}

/**
 * Starts a gateway in a process of its own, which outlives this one and its terminal; resolves when it serves. Where it
 * does not come to that it is gone, and its error is thrown.
 */
export async function startDaemon(options: ServeOptions): Promise<Daemon> {
  const logFile = join(stateFolder(), `gateway-${databaseName(options.db)}.log`);
  const child = launch(JSON.stringify(withAbsolutePaths(options)), logFile);
  const message = await firstMessage(child, logFile);
  child.unref();
  if (message.type === "misused") throw new UsageError(message.message);
  if (message.type === "failed") {
    const { kind, message: text, detail } = message.error;
    throw new GatewayError(kind, text, detail);
  }
  return { record: message.record, logFile };
}

/** The program stands beside this module. It must not keep a folder in use, so it changes to one that stays. */
function launch(options: string, logFile: string): ChildProcess {
  const here = fileURLToPath(import.meta.url);
  const program = fileURLToPath(new URL(`daemon-main${extname(here)}`, import.meta.url));
  const log = openPrivately(logFile);
  try {
    return spawn(process.execPath, [...process.execArgv, program, options], {
      detached: true,
      stdio: ["ignore", log, log, "ipc"],
      windowsHide: true,
    });
  } finally {
    closeSync(log);
  }
}

function openPrivately(path: string): number {
  mkdirSync(stateFolder(), { recursive: true, mode: 0o700 });
  const file = openSync(path, "a", 0o600);
  fchmodSync(file, 0o600);
  return file;
}

/** What was said is there before the channel is told as closed, but perhaps not before the end of the process. */
async function firstMessage(child: ChildProcess, logFile: string): Promise<DaemonMessage> {
  const said = once(child, "message").then(([message]) => message as DaemonMessage);
  const gone = Promise.all([once(child, "exit"), once(child, "disconnect")]);
  const ended = gone.then(([[code, signal]]) => `ended before it served: ${signal ?? `exit ${code}`}`);
  const failed = (error: Error) => `could not be started: ${error.message}`;
  const outcome = await Promise.race([said, ended]).catch(failed);
  if (typeof outcome !== "string") return outcome;
  throw new GatewayError("internal", `the gateway ${outcome}`, { hint: `its log is ${logFile}` });
}

/** It will be in another directory when it reads them. */
function withAbsolutePaths(options: ServeOptions): ServeOptions {
  const { db, socket, rules, agents } = options;
  return {
    ...options,
    "token-file": resolve(options["token-file"]),
    db: db === MEMORY ? db : resolve(db),
    socket: socket && resolve(socket),
    rules: rules && resolve(rules),
    agents: agents && resolve(agents),
  };
}
