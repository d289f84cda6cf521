import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { GatewayError } from "../../../src/gateway-error.js";
import { NativeLocks } from "../../../src/session/native-locks.js";

let base = "";
let folder = "";
let locks: NativeLocks;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-locks-")));
  folder = join(base, "locks");
  locks = new NativeLocks(folder);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const files = () => (existsSync(folder) ? readdirSync(folder).sort() : []);
const FILE = "claude-n1.lock";

function refusal(sessionID: string, nativeID = "n1"): GatewayError {
  try {
    locks.acquire("claude", nativeID, sessionID);
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error("the lock was given");
}

/** A lock that was left by someone else. */
function leave(content: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, FILE), content);
}

describe("two sessions of one gateway", () => {
  test("may not have one conversation: the second hears who has it, and what to do", () => {
    locks.acquire("claude", "n1", "ses_a");
    const refused = refusal("ses_b");
    expect(refused.kind).toBe("conflict");
    expect(refused.message).toContain("n1");
    expect(refused.message).toContain("ses_a");
    expect(refused.detail.hint).toContain("fork");
  });

  test("may have it one after the other", () => {
    locks.acquire("claude", "n1", "ses_a");
    locks.release("ses_a");
    expect(files()).toEqual([]);
    locks.acquire("claude", "n1", "ses_b");
    expect(refusal("ses_a").message).toContain("ses_b");
  });

  test("a refusal leaves the lock with who has it", () => {
    locks.acquire("claude", "n1", "ses_a");
    refusal("ses_b");
    locks.release("ses_b");
    expect(files()).toEqual([FILE]);
    expect(refusal("ses_b").message).toContain("ses_a");
  });

  test.each([
    ["another conversation", "claude", "n2"],
    ["another agent's conversation of the same id", "codex", "n1"],
  ])("may have each its own: %s is free", (_, agent, nativeID) => {
    locks.acquire("claude", "n1", "ses_a");
    locks.acquire(agent, nativeID, "ses_b");
    expect(files()).toEqual([FILE, `${agent}-${nativeID}.lock`].sort());
  });
});

describe("a session", () => {
  test("may ask again for what it has", () => {
    locks.acquire("claude", "n1", "ses_a");
    locks.acquire("claude", "n1", "ses_a");
    expect(files()).toEqual([FILE]);
    locks.release("ses_a");
    expect(files()).toEqual([]);
  });

  test("gives back all it has and nothing of others", () => {
    locks.acquire("claude", "n1", "ses_a");
    locks.acquire("claude", "n2", "ses_a");
    locks.acquire("claude", "n3", "ses_b");
    locks.release("ses_a");
    expect(files()).toEqual(["claude-n3.lock"]);
  });

  test("that has nothing gives nothing back", () => {
    locks.release("ses_a");
    expect(files()).toEqual([]);
  });

  test("may ask again after its lock's file was deleted by someone", () => {
    locks.acquire("claude", "n1", "ses_a");
    rmSync(folder, { recursive: true });
    locks.release("ses_a");
    locks.acquire("claude", "n1", "ses_b");
    expect(files()).toEqual([FILE]);
  });
});

describe("another gateway", () => {
  test("that lives keeps its lock, and is named", () => {
    leave(String(process.ppid));
    const refused = refusal("ses_a");
    expect(refused.kind).toBe("conflict");
    expect(refused.message).toContain(`process ${process.ppid}`);
    expect(readFileSync(join(folder, FILE), "utf8")).toBe(String(process.ppid));
  });

  test("that has kept a lock does not keep it for ever", () => {
    leave(String(process.ppid));
    refusal("ses_a");
    rmSync(join(folder, FILE));
    locks.acquire("claude", "n1", "ses_b");
    expect(readFileSync(join(folder, FILE), "utf8")).toBe(String(process.pid));
  });

  test("is not robbed by a release of who was refused", () => {
    leave(String(process.ppid));
    refusal("ses_a");
    locks.release("ses_a");
    expect(files()).toEqual([FILE]);
  });

  test.each([
    ["of a process that is gone", () => String(spawnSync(process.execPath, ["--version"]).pid)],
    ["of an earlier process that had our id", () => String(process.pid)],
    ["that is empty", () => ""],
    ["that is no number", () => "gateway"],
    ["of no process", () => "0"],
    ["of a group of processes", () => "-1"],
  ])("may have left a lock %s, which is taken over", (_, content) => {
    leave(content());
    locks.acquire("claude", "n1", "ses_a");
    expect(readFileSync(join(folder, FILE), "utf8")).toBe(String(process.pid));
    expect(refusal("ses_b").message).toContain("ses_a");
  });
});

test.each(["../../escape", "a/b", "/etc/passwd", "..", "a\0b"])("the id %j stays in the folder", (nativeID) => {
  locks.acquire("claude", nativeID, "ses_a");
  expect(readdirSync(base)).toEqual(["locks"]);
  expect(files()).toEqual([expect.stringMatching(/^claude-[A-Za-z0-9_-]+\.lock$/)]);
  expect(refusal("ses_b", nativeID).kind).toBe("conflict");
});

test.skipIf(process.platform === "win32")("the folder and its locks are nobody else's business", () => {
  expect(existsSync(folder)).toBe(false);
  locks.acquire("claude", "n1", "ses_a");
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, FILE)).mode & 0o777).toBe(0o600);
});

test("nothing but the locks stays in the folder", () => {
  locks.acquire("claude", "n1", "ses_a");
  expect(refusal("ses_b").kind).toBe("conflict");
  expect(files()).toEqual([FILE]);
});
