import { z } from "zod";
import { DatabaseImport } from "../../store/transfer/import-database.js";
import { parseOptions } from "../parse-options.js";
import { readExport } from "../read-export.js";
import { UsageError } from "../usage-error.js";
import { DATABASE_FLAG, DatabaseOption } from "./database-option.js";

const FLAGS = { "skip-existing": { type: "boolean" }, ...DATABASE_FLAG } as const;
const Options = z.object({ "skip-existing": z.boolean().default(false), ...DatabaseOption });
const OUTCOMES = { imported: "is imported", skipped: "is there already: left as it is" } as const;

export async function action(args: readonly string[]): Promise<number> {
  const { options, positionals } = parseOptions(args, FLAGS, Options);
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new UsageError('name one file, or "-" for standard input');
  const target = new DatabaseImport({
    path: options.db,
    skipExisting: options["skip-existing"],
    onSession: (id, outcome) => process.stdout.write(`${id} ${OUTCOMES[outcome]}\n`),
  });
  try {
    await readExport(file, (line) => target.take(line));
    target.finish();
  } finally {
    target.close();
  }
  return 0;
}
