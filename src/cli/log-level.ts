import { z } from "zod";
import { UsageError } from "./usage-error.js";

const LEVELS = ["trace", "debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LEVELS)[number];

const VARIABLE = "AGENTWIRE_LOG_LEVEL";
const EXPECTED = `must be one of ${LEVELS.join(", ")}`;
const LogLevel = z.enum(LEVELS, EXPECTED);

/** The option `--log-level`: without it the variable `AGENTWIRE_LOG_LEVEL` decides, and without that the verb. */
export function logLevelOption(fallback: LogLevel) {
  return LogLevel.default(() => levelOfEnvironment() ?? fallback);
}

function levelOfEnvironment(): LogLevel | undefined {
  const given = process.env[VARIABLE];
  if (given === undefined || given === "") return undefined;
  const level = LogLevel.safeParse(given);
  if (level.success) return level.data;
  throw new UsageError(`the environment variable ${VARIABLE} ${EXPECTED}, got ${JSON.stringify(given.slice(0, 50))}`);
}
