import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { z } from "zod";
import type { ExportLine } from "../../../schemas/index.js";
import { GatewayError } from "../../gateway-error.js";
import { exportDatabase } from "../../store/transfer/export-database.js";
import { packageVersion } from "../package-info.js";
import { parseOptions } from "../parse-options.js";
import { writeOut } from "../write-out.js";
import { DATABASE_FLAG, DatabaseOption, takeNone } from "./database-option.js";

const FLAGS = {
  session: { type: "string", multiple: true },
  out: { type: "string" },
  ...DATABASE_FLAG,
} as const;
const Options = z.object({
  session: z.array(z.string()).default([]),
  out: z.string().min(1, "must name a file").optional(),
  ...DatabaseOption,
});

export async function action(args: readonly string[]): Promise<number> {
  const { options, positionals } = parseOptions(args, FLAGS, Options);
  takeNone(positionals);
  const lines = exportDatabase({
    path: options.db,
    sessions: options.session,
    agentwire: packageVersion(),
    exportedAt: Date.now(),
  });
  const texts = inPieces(explained(lines));
  if (options.out === undefined) for (const text of texts) await writeOut(text);
  else writeFile(options.out, texts);
  return 0;
}

/** A gateway that has the database open can be asked for the same. */
function* explained(lines: Iterable<ExportLine>): Generator<ExportLine> {
  try {
    yield* lines;
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: unknown };
    if (!(error instanceof GatewayError) || typeof code !== "string" || !code.startsWith("SQLITE_BUSY")) throw error;
    const hint = "End the gateway first, or read its sessions from it: `session.list`, `session.messages`.";
    throw new GatewayError("storage", error.message, { hint, cause: error });
  }
}

const PIECE_CHARS = 64 * 1024;

/** Whole lines, many small ones together. */
function* inPieces(lines: Iterable<ExportLine>): Generator<string> {
  let piece = "";
  for (const line of lines) {
    piece += `${JSON.stringify(line)}\n`;
    if (piece.length < PIECE_CHARS) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

/** All of it, or no file. */
function writeFile(path: string, texts: Iterable<string>): void {
  let file: number | undefined;
  try {
    for (const text of texts) {
      file ??= create(path);
      writeAll(file, Buffer.from(text));
    }
    if (file !== undefined) fsyncSync(file);
  } catch (error) {
    if (file !== undefined) rmSync(path, { force: true });
    throw explain(error, path);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Never over another file: that could be the last good export, or the database. */
function create(path: string): number {
  return openSync(path, "wx", 0o600);
}

function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}

function explain(error: unknown, path: string): GatewayError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof GatewayError || code === undefined) return GatewayError.from(error);
  const detail = { field: "out", cause: error };
  if (code === "EEXIST") {
    return new GatewayError("conflict", `There is a file ${path} already`, { ...detail, hint: "Choose another name." });
  }
  return new GatewayError("storage", `The export ${path} cannot be written (${message})`, detail);
}
