import { GatewayError } from "../gateway-error.js";

/** By the beginning of the error's code; the first that fits. */
const CAUSES: readonly (readonly [code: string, what: string, hint: string])[] = [
  ["SQLITE_CORRUPT", "is damaged", "Move the file away to start with an empty database, or restore a backup."],
  ["SQLITE_NOTADB", "is not a database", "Choose another path, or move the file away."],
  ["SQLITE_READONLY", "is read-only", "Make the file and its directory writable for this user."],
  ["SQLITE_FULL", "cannot grow: the disk is full", "Free some disk space."],
  ["SQLITE_BUSY", "is in use by another process", "End the other gateway, or choose another path."],
  ["SQLITE_LOCKED", "is in use by another process", "End the other gateway, or choose another path."],
  ["SQLITE_CANTOPEN", "cannot be opened", "Check that the path names a file and that this user may write it."],
  ["SQLITE_PERM", "may not be opened by this user", "Make the file and its directory writable for this user."],
  ["SQLITE_IOERR_SHMSIZE", "cannot be opened: the disk is full", "Free some disk space."],
  ["SQLITE_IOERR", "cannot be read or written", "Check the disk."],
  ["EACCES", "may not be opened by this user", "Make the file and its directory writable for this user."],
  ["EPERM", "may not be opened by this user", "Make the file and its directory writable for this user."],
  ["EISDIR", "is a directory", "Choose the path of a file."],
  ["EROFS", "is on a read-only disk", "Choose another path."],
  ["ENOSPC", "cannot grow: the disk is full", "Free some disk space."],
];

/** Any failure of the database in words that tell what to do. What the database did not cause stays what it is. */
export function storageError(thrown: unknown, path: string): GatewayError {
  const code = codeOf(thrown);
  if (thrown instanceof GatewayError || code === undefined) return GatewayError.from(thrown);
  const known = CAUSES.find(([prefix]) => code.startsWith(prefix));
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  const what = known === undefined ? "failed" : known[1];
  return new GatewayError("storage", `The database ${path} ${what} (${code}: ${reason})`, {
    cause: thrown,
    ...(known !== undefined && { hint: known[2] }),
  });
}

/** The code of an error of SQLite or of the file system. */
function codeOf(thrown: unknown): string | undefined {
  const code = (thrown as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" && /^(SQLITE|E[A-Z]+$)/.test(code) ? code : undefined;
}
