import { expect, test } from "vitest";
import { opencodeScenarios } from "../../live/opencode/scenarios.js";

test("scenario names are unique and can be folder names", () => {
  const names = opencodeScenarios.map((scenario) => scenario.name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
});

test("every scenario has a sentence for a title and says what it proves", () => {
  const wrong = opencodeScenarios.filter(
    ({ title, requirements }) =>
      !/^[A-Z].*\.$/.test(title) ||
      requirements.length === 0 ||
      requirements.some((id) => !/^[a-z]+\.[a-zA-Z-]+$/.test(id)),
  );
  expect(wrong.map((scenario) => scenario.name)).toEqual([]);
});
