import { describe, expect, test } from "vitest";
import { matchPattern, matchPermission } from "../../../src/policy/match-pattern.js";

const DIR = "/work";

describe("commands", () => {
  test.each([
    ["*", "anything; at all", true],
    ["ls", "ls", true],
    ["ls", "ls -a", false],
    ["ls", "els", false],
    ["git *", "git", true],
    ["git *", "git status", true],
    ["git *", "gitk", false],
    ["git*", "gitk", true],
    ["git * --stat", "git log --stat", true],
    ["l?", "ls", true],
    ["l?", "l", false],
    ["a.b", "axb", false],
    ["a+(b)[c]{d}|^$\\", "a+(b)[c]{d}|^$\\", true],
    ["echo *", "echo a\nb", true],
    ["", "", true],
    ["", "ls", false],
  ])("%j on %j: %s", (pattern, subject, expected) => {
    expect(matchPattern("bash", pattern, subject, DIR)).toBe(expected);
  });
});

describe("paths are taken from the session's directory", () => {
  test.each([
    ["**", "a.ts", true],
    ["**", "src/deep/a.ts", true],
    ["**", "/work/a.ts", true],
    ["**", "/etc/passwd", false],
    ["**", "/workshop/a.ts", false],
    ["src/**", "src/a.ts", true],
    ["src/**", "/work/src/a.ts", true],
    ["src/**", "lib/a.ts", false],
    ["*.ts", "a.ts", true],
    ["*.ts", "a.tsx", false],
    ["/etc/**", "/etc/passwd", true],
    ["/etc/**", "etc/passwd", false],
    ["/work/a.ts", "a.ts", true],
    ["./a.ts", "a.ts", true],
    ["a.ts", "./a.ts", true],
    ["a.ts", "src//../a.ts", true],
    ["**", "../secret", false],
    ["**", "src/../../secret", false],
    ["**", "/work/../etc/passwd", false],
    ["secret/**", "src/../secret/key", true],
    ["/etc/**", "../etc/passwd", true],
  ])("%j on %j: %s", (pattern, subject, expected) => {
    for (const permission of ["edit", "read", "list"]) {
      expect(matchPattern(permission, pattern, subject, DIR)).toBe(expected);
    }
  });

  test("whatever the directory is written like", () => {
    expect(matchPattern("edit", "**", "/work/a", "/work/")).toBe(true);
    expect(matchPattern("edit", "**", "a", "/")).toBe(true);
    expect(matchPattern("edit", "C:/x/**", "C:/x/a", "/work")).toBe(true);
  });

  test("what is searched for is no path", () => {
    expect(matchPattern("grep", "../*", "../a", DIR)).toBe(true);
    expect(matchPattern("glob", "**", "/etc/*", DIR)).toBe(true);
  });
});

test.each([
  ["bash", "bash", true],
  ["*", "bash", true],
  ["bash", "edit", false],
  ["bas*", "bash", false],
])("a rule of %s covers %s: %s", (rule, permission, expected) => {
  expect(matchPermission(rule, permission)).toBe(expected);
});
