import { expect, test } from "vitest";
import { isNamed, oneOf } from "../../../src/cli/name-match.js";

test.each([
  ["ses_0mx3zwula1fe8ed", true],
  ["ses_0mx3", true],
  ["0mx3", true],
  ["fe8ed", true],
  ["zwula", false],
  ["", false],
])("%j names a session: %s", (name, expected) => {
  expect(isNamed("ses_0mx3zwula1fe8ed", name)).toBe(expected);
});

test("nothing is nothing, one is the one, and several are listed", () => {
  const describe = (id: string) => `${id} title`;
  expect(oneOf([], "a", describe)).toBeUndefined();
  expect(oneOf(["ses_a"], "a", describe)).toBe("ses_a");
  expect(() => oneOf(["ses_a", "ses_ba"], "a", describe)).toThrow('"a" may be any of\n  ses_a title\n  ses_ba title');
  const many = Array.from({ length: 12 }, (_, i) => `ses_${i}`);
  expect(() => oneOf(many, "ses", describe)).toThrow(/and 2 more$/);
});
