import { describe, expect, test } from "vitest";
import type { PermissionRule } from "../../../schemas/index.js";
import { evaluate, type Verdict } from "../../../src/policy/evaluate.js";

type Written = readonly [action: PermissionRule["action"] | "approve", permission: string, pattern: string];

function rules(...written: Written[]): PermissionRule[] {
  return written.map(([action, permission, pattern]) =>
    action === "approve"
      ? { action: "allow", permission, pattern, source: "approval" }
      : { action, permission, pattern },
  );
}

type Row = readonly [
  what: string,
  rules: readonly Written[],
  permission: string,
  patterns: readonly string[],
  verdict: Verdict,
];

const TABLE: readonly Row[] = [
  ["no rule", [], "bash", ["ls"], "ask"],
  ["a rule of another permission", [["allow", "edit", "*"]], "bash", ["ls"], "ask"],
  ["a rule of any permission", [["deny", "*", "*"]], "bash", ["ls"], "deny"],
  [
    "the last match wins: allow",
    [
      ["deny", "bash", "*"],
      ["allow", "bash", "ls"],
    ],
    "bash",
    ["ls"],
    "allow",
  ],
  [
    "the last match wins: deny",
    [
      ["allow", "bash", "ls"],
      ["deny", "bash", "*"],
    ],
    "bash",
    ["ls"],
    "deny",
  ],
  [
    "the last match wins: ask",
    [
      ["allow", "bash", "*"],
      ["ask", "bash", "rm *"],
    ],
    "bash",
    ["rm a"],
    "ask",
  ],
  [
    "what does not match does not win",
    [
      ["allow", "bash", "ls"],
      ["deny", "bash", "rm *"],
    ],
    "bash",
    ["ls"],
    "allow",
  ],
  [
    "the strictest of several: deny",
    [
      ["allow", "bash", "*"],
      ["deny", "bash", "rm *"],
    ],
    "bash",
    ["ls", "rm a"],
    "deny",
  ],
  ["the strictest of several: ask", [["allow", "bash", "ls"]], "bash", ["ls", "rm a"], "ask"],
  ["all of several allowed", [["allow", "bash", "*"]], "bash", ["ls", "rm a"], "allow"],
  ["nothing is accessed", [["allow", "*", "*"]], "bash", [], "ask"],
  ["an approval answers an ask", [["approve", "bash", "ls *"]], "bash", ["ls -a"], "allow"],
  [
    "an approval answers a rule that asks, wherever it stands",
    [
      ["approve", "bash", "ls"],
      ["ask", "bash", "*"],
    ],
    "bash",
    ["ls"],
    "allow",
  ],
  [
    "deny beats an approval that came later",
    [
      ["deny", "bash", "rm *"],
      ["approve", "bash", "rm *"],
    ],
    "bash",
    ["rm a"],
    "deny",
  ],
  ["an approval of another thing", [["approve", "bash", "ls *"]], "bash", ["cat a"], "ask"],
];

test.each(TABLE)("%s", (_, written, permission, patterns, verdict) => {
  expect(evaluate(rules(...written), { permission, patterns: [...patterns] }, "/work")).toBe(verdict);
});

test("a rule that is marked as an approval but denies is a rule that denies", () => {
  const rule: PermissionRule = { permission: "bash", pattern: "*", action: "deny", source: "approval" };
  expect(evaluate([rule], { permission: "bash", patterns: ["ls"] }, "/work")).toBe("deny");
});

describe("leave to run one command is no leave to run another behind it", () => {
  const git = rules(["allow", "bash", "git *"]);

  test.each([
    ["git", "allow"],
    ["git status", "allow"],
    ["git log --format=%H -- 'a b'", "allow"],
    ["git status; rm -rf /", "ask"],
    ["git status && rm -rf /", "ask"],
    ["git status || rm -rf /", "ask"],
    ["git status & rm -rf /", "ask"],
    ["git log | sh", "ask"],
    ["git log $(rm -rf /)", "ask"],
    ["git log `rm -rf /`", "ask"],
    ["git log > /etc/passwd", "ask"],
    ["git apply < patch", "ask"],
    ["git diff <(rm -rf /)", "ask"],
    ["git status\nrm -rf /", "ask"],
    ["git status\r\nrm -rf /", "ask"],
  ] as const)("%j: %s", (command, verdict) => {
    expect(evaluate(git, { permission: "bash", patterns: [command] }, "/work")).toBe(verdict);
  });

  test("nor is an approval, or a pattern that stands for single characters", () => {
    const request = (command: string) => ({ permission: "bash", patterns: [command] });
    expect(evaluate(rules(["approve", "bash", "git *"]), request("git a; rm b"), "/work")).toBe("ask");
    expect(evaluate(rules(["allow", "bash", "ls ????"]), request("ls ;w a"), "/work")).toBe("ask");
  });

  test("what was allowed word for word, or all of it, is allowed", () => {
    const command = "make && make test";
    expect(evaluate(rules(["allow", "bash", command]), { permission: "bash", patterns: [command] }, "/work")).toBe(
      "allow",
    );
    expect(evaluate(rules(["allow", "bash", "*"]), { permission: "bash", patterns: [command] }, "/work")).toBe("allow");
  });

  test.each([
    "rm a",
    "cd x && rm a",
    "ls; rm a",
    "ls|rm a",
    "ls & rm a",
    "echo $(rm a)",
    "echo `rm a`",
    "(rm a)",
    "ls\nrm a",
    "true ||\trm a",
  ])("a rule that denies a command denies it anywhere in %j", (command) => {
    const list = rules(["allow", "bash", "*"], ["deny", "bash", "rm *"]);
    expect(evaluate(list, { permission: "bash", patterns: [command] }, "/work")).toBe("deny");
    expect(evaluate([...list].reverse(), { permission: "bash", patterns: [command] }, "/work")).toBe("allow");
  });

  test("and nothing that only looks like it", () => {
    const list = rules(["allow", "bash", "*"], ["deny", "bash", "rm *"]);
    expect(evaluate(list, { permission: "bash", patterns: ["git rm a; rmdir b"] }, "/work")).toBe("allow");
    expect(
      evaluate(
        rules(["allow", "grep", "*"], ["deny", "grep", "rm *"]),
        { permission: "grep", patterns: ["ls; rm a"] },
        "/work",
      ),
    ).toBe("allow");
  });

  test("a rule that denies or asks covers the chained command too", () => {
    for (const action of ["deny", "ask"] as const) {
      const list = rules(["allow", "bash", "*"], [action, "bash", "git *"]);
      expect(evaluate(list, { permission: "bash", patterns: ["git status; ls"] }, "/work")).toBe(action);
    }
  });
});

describe("paths that climb", () => {
  const request = (path: string) => ({ permission: "read", patterns: [path] });

  test.each(["../secret", "src/../../secret", "src/../a.ts", "/work/../etc/passwd"])(
    "%s is never inside by a pattern",
    (path) => {
      expect(evaluate(rules(["allow", "read", "**"]), request(path), "/work")).toBe("ask");
    },
  );

  test("they do not get around a rule that denies", () => {
    const list = rules(["allow", "read", "*"], ["deny", "read", "secret/**"]);
    expect(evaluate(list, request("secret/key"), "/work")).toBe("deny");
    expect(evaluate(list, request("src/../secret/key"), "/work")).toBe("deny");
    expect(evaluate(list, request("/work/./secret/key"), "/work")).toBe("deny");
  });

  test("all of everything is what it says", () => {
    expect(evaluate(rules(["allow", "read", "*"]), request("../a"), "/work")).toBe("allow");
  });
});
