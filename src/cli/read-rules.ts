import { readFileSync } from "node:fs";
import { z } from "zod";
import { PermissionRule } from "../../schemas/index.js";
import { UsageError } from "./usage-error.js";

const Rules = z.array(PermissionRule.strict());

/** The permission rules of a JSON file: a list of {permission, pattern, action}. None without a file. */
export function readRules(path: string | undefined): PermissionRule[] {
  if (path === undefined) return [];
  const result = Rules.safeParse(parse(path));
  if (result.success) return result.data;
  throw new UsageError(`--rules ${path}: ${z.prettifyError(result.error)}`);
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new UsageError(`--rules ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
