import pino, { type DestinationStream, type Logger } from "pino";
import { createRedactor, type Redact, redactJson } from "../redact.js";
import type { LogLevel } from "./log-level.js";
import { formatLogLine } from "./log-line.js";

export interface LogOptions {
  readonly level: LogLevel;
  /** Takes the secrets out of each line, just before it is written. */
  readonly redact?: Redact;
  /** Whether a person reads it; otherwise each line is JSON. */
  readonly isTerminal?: boolean;
  readonly destination?: DestinationStream;
}

/** The log of a gateway, on standard error: stdout is data. */
export function createLog(options: LogOptions): Logger {
  const { level, redact = createRedactor(), isTerminal = process.stderr.isTTY === true } = options;
  const destination = options.destination ?? pino.destination({ dest: 2, sync: true });
  const readable: DestinationStream = { write: (line) => destination.write(formatLogLine(line)) };
  return pino(
    {
      level,
      base: null,
      // Without one an error is logged as `{}`.
      serializers: { err: pino.stdSerializers.err, error: pino.stdSerializers.err },
      // In the whole line, so that there is no list of fields to forget one in.
      hooks: { streamWrite: (line) => `${redactJson(line, redact)}\n` },
    },
    isTerminal ? readable : destination,
  );
}
