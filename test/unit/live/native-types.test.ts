import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { nativeTypes } from "../../live/codex/native-types.js";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-types-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(file: string, text: string): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `// GENERATED\n${text}`);
}

test("the types of what is read and sent, and what they name, without comments", async () => {
  put(
    "ServerNotification.ts",
    `import type { ErrorNotification } from "./v2/ErrorNotification";
import type { Moon } from "./v2/Moon";
export type ServerNotification = { "method": "error", "params": ErrorNotification } | { "method": "moon/rose", "params": Moon };`,
  );
  put("ServerRequest.ts", "export type ServerRequest = never;");
  put(
    "ClientRequest.ts",
    `import type { InitializeParams } from "./InitializeParams";
export type ClientRequest ={ "method": "initialize", id: RequestId, params: InitializeParams, };`,
  );
  put(
    "v2/ErrorNotification.ts",
    'import type { Cause } from "./Cause";\nexport type ErrorNotification = { cause: Cause, };',
  );
  put("v2/Cause.ts", "export type Cause = { \n/**\n * Why.\n */\nwhy: string, };");
  put("v2/Moon.ts", "export type Moon = string;");
  put(
    "InitializeParams.ts",
    'import type { Cause } from "./Cause";\nexport type InitializeParams = { cause: Cause, };',
  );
  put("InitializeResponse.ts", "export type InitializeResponse = { userAgent: string, };");
  put("Cause.ts", "export type Cause = number;");

  const [, ...blocks] = (await nativeTypes(folder)).trimEnd().split("\n\n");
  expect(blocks).toEqual([
    "export interface ServerNotifications {\n  error: ErrorNotification;\n}",
    "export interface ServerRequests {}",
    "export interface ClientRequests {\n  initialize: InitializeParams;\n}",
    "export interface ClientAnswers {\n  initialize: InitializeResponse;\n}",
    "type Cause = {\n  why: string;\n};",
    "type ErrorNotification = { cause: Cause };",
    "type InitializeParams = { cause: OlderCause };",
    "type InitializeResponse = { userAgent: string };",
    "type OlderCause = number;",
  ]);
});
