import { z } from "zod";
import { ERROR_TABLE } from "../../../schemas/index.js";
import { checkDatabase, type DatabaseReport } from "../../store/check/check-database.js";
import { parseOptions } from "../parse-options.js";
import { writeOut } from "../write-out.js";
import { DATABASE_FLAG, DatabaseOption, takeNone } from "./database-option.js";

const FLAGS = { json: { type: "boolean" }, ...DATABASE_FLAG } as const;
const Options = z.object({ json: z.boolean().default(false), ...DatabaseOption });

export async function action(args: readonly string[]): Promise<number> {
  const { options, positionals } = parseOptions(args, FLAGS, Options);
  takeNone(positionals);
  const report = checkDatabase({ path: options.db });
  await writeOut(options.json ? `${JSON.stringify(report)}\n` : describe(report));
  return report.problemCount === 0 ? 0 : ERROR_TABLE.storage.exitCode;
}

function describe(report: DatabaseReport): string {
  const { problems, problemCount } = report;
  const lines = [...describeFile(report), ...describeContent(report)];
  for (const { id, problem, advice } of problems) lines.push(`bad   ${id}: ${problem}`, `      ${advice}`);
  if (problemCount > problems.length) lines.push(`bad   ${problemCount - problems.length} more problems`);
  if (problemCount === 0) lines.push("ok    no problem was found");
  return `${lines.join("\n")}\n`;
}

function describeFile({ path, bytes, schemaVersion, latestSchemaVersion }: DatabaseReport): string[] {
  const old = schemaVersion < latestSchemaVersion ? `, which a gateway brings to ${latestSchemaVersion}` : "";
  return [`${path}: ${bytes} bytes, schema version ${schemaVersion}${old}`];
}

function describeContent({ holds }: DatabaseReport): string[] {
  if (!holds) return ["the file is damaged, so that what it holds was not read"];
  const { sessions, children, messages, parts, todos, checkpoints, blobs, tombstones } = holds;
  const { unused } = blobs;
  const note = unused.count === 0 ? "" : `; ${unused.count} with ${unused.bytes} bytes are not used any more`;
  return [
    `sessions ${sessions}, of subagents ${children}, messages ${messages}, parts ${parts}`,
    `checkpoints ${checkpoints}, lists of todos ${todos}, removals remembered ${tombstones}`,
    `blobs ${blobs.count} with ${blobs.bytes} bytes${note}`,
  ];
}
