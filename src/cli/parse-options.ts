import { type ParseArgsConfig, parseArgs } from "node:util";
import { z } from "zod";
import { UsageError } from "./usage-error.js";

/**
 * Reads a verb's options: the flags as `node:util` knows them, then their values through a schema. Both kinds of
 * failure are usage errors that name the option.
 */
export function parseOptions<T>(
  args: readonly string[],
  flags: NonNullable<ParseArgsConfig["options"]>,
  schema: z.ZodType<T>,
): { options: T; positionals: string[] } {
  const { values, positionals } = readFlags(args, flags);
  const result = schema.safeParse(values);
  if (result.success) return { options: result.data, positionals };
  const issue = result.error.issues[0];
  throw new UsageError(`--${issue?.path.join(".")}: ${issue?.message}`);
}

function readFlags(args: readonly string[], flags: NonNullable<ParseArgsConfig["options"]>) {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** `--program agent=path`, any number of times. */
export const ProgramFlags = z
  .array(z.string().regex(/^[a-z][a-z0-9-]*=.+$/, "must be AGENT=PATH"))
  .default([])
  .transform((list) =>
    Object.fromEntries(
      list.map((entry) => {
        const [agent = "", ...path] = entry.split("=");
        return [agent, { command: path.join("="), args: [] }];
      }),
    ),
  );

const KEEP_DAYS = "must be a number of days, 1 or more";

/** `--keep-days N`: part of a day may be said after the first. */
export const KeepDays = z.coerce.number(KEEP_DAYS).min(1, KEEP_DAYS).optional();
