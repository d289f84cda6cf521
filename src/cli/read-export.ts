import { createReadStream } from "node:fs";
import { ExportLine } from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import { LineSplitter } from "../line-splitter.js";
import { parseJson } from "../parse-json.js";
import { describeIssue } from "../server/describe-issue.js";
import { valueKind } from "../server/value-kind.js";

/** Reads an export, line by line, from a file or, as `-`, from standard input. What is wrong is told with its line. */
export async function readExport(file: string, onLine: (line: ExportLine) => void): Promise<void> {
  let number = 0;
  const take = (text: string) => {
    number += 1;
    if (text.trim() !== "") atLine(number, () => onLine(readLine(text)));
  };
  const onOverlong = (bytes: number) => {
    throw new GatewayError("too_large", `line ${number + 1}: it is longer than can be read: ${bytes} bytes`);
  };
  const splitter = new LineSplitter({ onLine: take, onOverlong }, Number.POSITIVE_INFINITY);
  for await (const chunk of openInput(file)) splitter.push(chunk as Buffer);
  splitter.end();
}

async function* openInput(file: string): AsyncGenerator<unknown> {
  try {
    yield* file === "-" ? process.stdin : createReadStream(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined || error instanceof GatewayError) throw error;
    throw new GatewayError(code === "ENOENT" ? "not_found" : "storage", `${file} cannot be read (${message})`);
  }
}

function readLine(text: string): ExportLine {
  const raw = parseJson(text);
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    const kind = raw === undefined ? "no JSON" : valueKind(raw);
    throw new GatewayError("invalid_params", `it must be a JSON object, and is ${kind}`);
  }
  const result = ExportLine.safeParse(raw);
  // As it came: what a newer agentwire says beside it is kept.
  if (result.success) return raw as ExportLine;
  const [issue] = result.error.issues;
  if (!issue) throw new GatewayError("invalid_params", "it is wrong");
  const { field, message } = describeIssue(issue, ExportLine, raw);
  throw new GatewayError("invalid_params", message, { field });
}

function atLine(number: number, run: () => void): void {
  try {
    run();
  } catch (error) {
    const { kind, message, detail } = GatewayError.from(error);
    throw new GatewayError(kind, `line ${number}: ${message}`, { ...detail, cause: error });
  }
}
