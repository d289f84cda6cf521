import { z } from "zod";
import type { Session } from "../../../schemas/index.js";
import { deleteUnused } from "../../session/delete-unused.js";
import { DAY_MS } from "../../session/retention.js";
import { compactDatabase } from "../../store/compact-database.js";
import { openStore } from "../../store/open-store.js";
import { KeepDays, parseOptions } from "../parse-options.js";
import { writeOut } from "../write-out.js";
import { DATABASE_FLAG, DatabaseOption, needDatabase, takeNone } from "./database-option.js";

const FLAGS = { "keep-days": { type: "string" }, ...DATABASE_FLAG } as const;
const Options = z.object({ "keep-days": KeepDays, ...DatabaseOption });

export async function action(args: readonly string[]): Promise<number> {
  const { options, positionals } = parseOptions(args, FLAGS, Options);
  takeNone(positionals);
  const keepDays = options["keep-days"];
  needDatabase(options.db);
  if (keepDays !== undefined) {
    const deleted = await deleteOlder(options.db, Date.now() - keepDays * DAY_MS);
    await writeOut(`deleted ${deleted} sessions that nobody has used for ${keepDays} days\n`);
  }
  const { before, after } = compactDatabase({ path: options.db });
  await writeOut(`${options.db}: ${before} bytes before, ${after} bytes after\n`);
  return 0;
}

async function deleteOlder(path: string, since: number): Promise<number> {
  const store = openStore({ path });
  const remove = ({ id }: Session) => {
    store.deleteSession(id);
    return true;
  };
  try {
    let batch = await deleteUnused(store, { since }, remove);
    let { deleted } = batch;
    while (batch.last) {
      batch = await deleteUnused(store, { since, after: batch.last }, remove);
      deleted += batch.deleted;
    }
    return deleted;
  } finally {
    store.close();
  }
}
