import { expect, test } from "vitest";
import { formatAge } from "../../../../src/cli/terminal/format-age.js";
import { formatTable } from "../../../../src/cli/terminal/format-table.js";

test.each([
  [-5, "0s"],
  [59_999, "59s"],
  [60_000, "1m"],
  [3 * 3_600_000, "3h"],
  [49 * 3_600_000, "2d"],
])("%d ms ago is %s", (ms, age) => {
  expect(formatAge(ms)).toBe(age);
});

test("a table's rows are one line each, whatever is in them", () => {
  const table = formatTable([
    ["id", "title"],
    ["ses_1", "two\nlines \u001b[1mbold"],
    ["s", ""],
  ]);
  expect(table).toBe("id     title\nses_1  two lines bold\ns\n");
});
