import { expect, test } from "vitest";
import { claudeScenarios } from "../../live/claude/scenarios.js";
import { claudePackage } from "../../live/install.js";

test("scenario names are unique and can be folder names", () => {
  const names = claudeScenarios.map((scenario) => scenario.name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
});

test("every scenario has a sentence for a title and says what it proves", () => {
  const wrong = claudeScenarios.filter(
    ({ title, requirements }) =>
      !/^[A-Z].*\.$/.test(title) ||
      requirements.length === 0 ||
      requirements.some((id) => !/^[a-z]+\.[a-zA-Z-]+$/.test(id)),
  );
  expect(wrong.map((scenario) => scenario.name)).toEqual([]);
});

test("a script is made from the directories alone", () => {
  const dirs = { home: "/tmp/home", cwd: "/tmp/project" };
  for (const { script } of claudeScenarios) expect(script(dirs)).toEqual(script(dirs));
});

test("the native package is named by platform, architecture and C library", () => {
  expect(claudePackage("linux", "x64", false)).toBe("@anthropic-ai/claude-code-linux-x64");
  expect(claudePackage("linux", "arm64", true)).toBe("@anthropic-ai/claude-code-linux-arm64-musl");
});
