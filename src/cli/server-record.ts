import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { isAlive } from "../is-alive.js";
import { parseJson } from "../parse-json.js";
import { findProcess } from "../process/process-table.js";
import { databaseName, MEMORY, stateFolder } from "./state-folder.js";

/** How other commands find a gateway that runs. A field that is not known here is of a newer version. */
const ServerRecord = z.object({
  pid: z.number().int().positive(),
  /** When the process began, as its system says it: with the pid it names the process for good. Empty where it is not told. */
  processStart: z.string(),
  /** Where HTTP and WebSocket clients find it, with the token in `tokenFile`. */
  url: z.string(),
  /** The unix socket, where no token is asked for. */
  socket: z.string().optional(),
  tokenFile: z.string(),
  /** The absolute path of its database, or `:memory:`. */
  db: z.string(),
  version: z.string(),
  /** Unix time in milliseconds. */
  startedAt: z.number(),
});
export type ServerRecord = z.infer<typeof ServerRecord>;

const NAME = /^gateway-[\w-]+\.\d+\.json$/;

/** What a gateway knows of itself; the rest of its record is its process. */
export type ServerAddress = Omit<ServerRecord, "pid" | "processStart" | "startedAt">;

/**
 * Tells other commands of this process, which serves. Each gateway has a file of its own, so one that is replaced cannot
 * take away what its successor wrote.
 */
export function writeServerRecord(address: ServerAddress): { record: ServerRecord; remove: () => void } {
  const { pid } = process;
  const processStart = findProcess(pid)?.start ?? "";
  const record = { ...address, db: absolute(address.db), pid, processStart, startedAt: Date.now() };
  const path = join(stateFolder(), `gateway-${databaseName(record.db)}.${pid}.json`);
  const draft = `${path}.new`;
  mkdirSync(stateFolder(), { recursive: true, mode: 0o700 });
  writeFileSync(draft, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
  return { record, remove: () => rmSync(path, { force: true }) };
}

/** The gateway that serves a database; the newest while one takes over from another. */
export function readServerRecord(db: string): ServerRecord | undefined {
  const path = absolute(db);
  return listServerRecords().find((record) => record.db === path);
}

/** The gateways that run, the newest first. What one that died left behind is removed. */
export function listServerRecords(): ServerRecord[] {
  const records = fileNames().flatMap((name) => readRecord(join(stateFolder(), name)) ?? []);
  return records.sort((a, b) => b.startedAt - a.startedAt);
}

/** Whether the process of a record still runs: another one may have its pid by now. */
export function isRunning({ pid, processStart }: ServerRecord): boolean {
  return processStart === "" ? isAlive(pid) : findProcess(pid)?.start === processStart;
}

function fileNames(): string[] {
  try {
    return readdirSync(stateFolder()).filter((name) => NAME.test(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Undefined for one that is gone, of another version or of a process that died. */
function readRecord(path: string): ServerRecord | undefined {
  const parsed = ServerRecord.safeParse(parseJson(readOrEmpty(path)));
  if (!parsed.success) return undefined;
  if (isRunning(parsed.data)) return parsed.data;
  rmSync(path, { force: true });
  return undefined;
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function absolute(db: string): string {
  return db === MEMORY ? db : resolve(db);
}
