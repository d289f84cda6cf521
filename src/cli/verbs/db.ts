import { ERROR_TABLE } from "../../../schemas/error-table.js";
import { type Actions, runAction } from "../run-action.js";
import type { Verb } from "../verb.js";

const ACTIONS: Actions = {
  check: async () => (await import("../db/check.js")).action,
  compact: async () => (await import("../db/compact.js")).action,
  export: async () => (await import("../db/export.js")).action,
  import: async () => (await import("../db/import.js")).action,
};

export const verb: Verb = {
  summary: "check, compact, export or import the database of sessions",
  usage: `usage: agentwire db check [--json] [--db FILE]
       agentwire db compact [--keep-days N] [--db FILE]
       agentwire db export [--session ID]… [--out FILE] [--db FILE]
       agentwire db import FILE|- [--skip-existing] [--db FILE]

check    reads all of it and changes nothing, also where it is read-only or of an older version; prints what it holds and each
         problem with what to do about it; exits with ${ERROR_TABLE.storage.exitCode} when there is one
compact  drops what nothing refers to and gives free space back to the disk; with --keep-days also deletes the sessions
         that nobody has used for N days, as \`serve --keep-days\` does
export   prints sessions with all that is theirs, one JSON object a line; --out writes a new file that only its owner may read
import   reads such an export into the database, which is made when missing; what is there already is a conflict, and
         nothing of that session is stored, unless --skip-existing leaves it as it is

A gateway that has the database open must be ended first. Without --db it is the one that \`agentwire serve\` uses.`,
  run: (args) => runAction(ACTIONS, args),
};
