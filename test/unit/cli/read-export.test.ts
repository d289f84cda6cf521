import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ExportLine } from "../../../schemas/index.js";
import { readExport } from "../../../src/cli/read-export.js";
import type { GatewayError } from "../../../src/gateway-error.js";
import * as make from "../store/samples.js";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-export-"));
  file = join(folder, "export.ndjson");
});
afterEach(() => rmSync(folder, { recursive: true }));

const HEADER: ExportLine = {
  ...{ type: "export", format: "agentwire", version: 1, agentwire: "1.2.3", database: "d", exportedAt: 4 },
};

async function read(...lines: string[]): Promise<ExportLine[]> {
  const taken: ExportLine[] = [];
  writeFileSync(file, lines.join("\n"));
  await readExport(file, (line) => taken.push(line));
  return taken;
}

test("each line is taken as it came, also with what this version does not know", async () => {
  const line = { type: "session", session: { ...make.session("ses_1"), mood: "good" } };
  expect(await read(JSON.stringify(HEADER), "", JSON.stringify(line), "")).toEqual([HEADER, line]);
});

const MESSAGE = '{"type":"message","message":{"role":"user","id":"msg_1","sessionID":7}}';
const CHECKPOINT = '{"type":"checkpoint","sessionID":"ses_1","epoch":0,"seq":0}';

test.each([
  ["{", undefined, "it must be a JSON object, and is no JSON"],
  ["[]", undefined, "it must be a JSON object, and is an empty array"],
  ['{"type":"sessions"}', "type", "type must be one of"],
  [MESSAGE, "message.sessionID", "message.sessionID must be a string, got an integer"],
  [CHECKPOINT, "state", "state is missing"],
])("the line %s is refused by its number, its field and what it is", async (line, field, message) => {
  const refused = await read(JSON.stringify(HEADER), "", line).catch((error: unknown) => error);
  expect(refused).toMatchObject({ kind: "invalid_params", message: expect.stringContaining(`line 3: ${message}`) });
  expect((refused as GatewayError).detail.field).toBe(field);
});

test("what is thrown for a line is told with its number", async () => {
  writeFileSync(file, `${JSON.stringify(HEADER)}\n`);
  const taking = readExport(file, () => {
    throw new Error("not here");
  });
  await expect(taking).rejects.toMatchObject({ kind: "internal", message: "line 1: not here" });
});

test("a file that is not there or is none is told as such", async () => {
  await expect(readExport(file, () => {})).rejects.toMatchObject({ kind: "not_found" });
  await expect(readExport(folder, () => {})).rejects.toMatchObject({ kind: "storage" });
});
