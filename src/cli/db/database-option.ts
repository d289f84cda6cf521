import { existsSync } from "node:fs";
import { z } from "zod";
import { GatewayError } from "../../gateway-error.js";
import { defaultDatabase } from "../state-folder.js";
import { UsageError } from "../usage-error.js";

/** `--db FILE`, as each action takes it. */
export const DATABASE_FLAG = { db: { type: "string" } } as const;
export const DatabaseOption = {
  db: z.string().min(1, "must name a file").default(defaultDatabase),
};

export function takeNone(positionals: readonly string[]): void {
  if (positionals.length > 0) throw new UsageError(`"${positionals[0]}" is one too many`);
}

/** Throws `not_found`, where opening it would make it. */
export function needDatabase(path: string): void {
  if (!existsSync(path)) throw new GatewayError("not_found", `There is no database ${path}`);
}
