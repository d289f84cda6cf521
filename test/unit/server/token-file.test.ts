import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readOrCreateToken } from "../../../src/server/token-file.js";

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "agentwire-token-"));
  path = join(directory, "state", "token");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("is created with 32 random bytes and read again", () => {
  const token = readOrCreateToken(path);
  expect(Buffer.from(token, "base64url")).toHaveLength(32);
  expect(readOrCreateToken(path)).toBe(token);
  expect(readFileSync(path, "utf8")).toBe(`${token}\n`);
  // No draft is left.
  expect(readdirSync(join(directory, "state"))).toEqual(["token"]);
});

test("differs from file to file", () => {
  expect(readOrCreateToken(path)).not.toBe(readOrCreateToken(`${path}2`));
});

describe.skipIf(process.platform === "win32")("on POSIX", () => {
  test("only the owner may read it", () => {
    readOrCreateToken(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(directory, "state")).mode & 0o777).toBe(0o700);
  });

  test.each([0o640, 0o604, 0o666])("a file with mode %o is refused, with the way to mend it", (mode) => {
    readOrCreateToken(path);
    chmodSync(path, mode);
    expect(() => readOrCreateToken(path)).toThrow(
      expect.objectContaining({ kind: "forbidden", message: expect.stringContaining(`mode ${mode.toString(8)}`) }),
    );
    chmodSync(path, 0o400);
    expect(() => readOrCreateToken(path)).not.toThrow();
  });
});

test.each(["", "short", `${"x".repeat(40)} and more`, `${"x".repeat(40)}\n${"y".repeat(40)}`])(
  "a file with %j is refused",
  (content) => {
    writeFileSync(join(directory, "token"), content, { mode: 0o600 });
    expect(() => readOrCreateToken(join(directory, "token"))).toThrow(/holds no token/);
  },
);

test("a path that cannot be used is an error that names it", () => {
  writeFileSync(join(directory, "file"), "", { mode: 0o600 });
  expect(() => readOrCreateToken(join(directory, "file", "token"))).toThrow(/token file .*token cannot be/);
});
