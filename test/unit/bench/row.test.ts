import { expect, test } from "vitest";
import { judge, type Row } from "../../bench/row.js";
import { table } from "../../bench/table.js";

const row: Row = {
  name: "row",
  what: "a row",
  program: "row.mjs",
  checks: [
    { measure: "ratio", atMost: 1, required: true },
    { measure: "goal", atMost: 1 },
  ],
};

test("a required measure that is missed fails, another is only a miss", () => {
  const results = judge(row, { ratio: [0.5, 3, 2], goal: [2] });
  expect(results.map(({ median, least, most, verdict }) => [median, least, most, verdict])).toEqual([
    [2, 0.5, 3, "FAIL"],
    [2, 2, 2, "miss"],
  ]);
});

test("what was told without a target comes after the targets, without a verdict", () => {
  const results = judge(row, { further: [4, 6], goal: [1], ratio: [1] });
  expect(results.map(({ measure, median, verdict }) => [measure, median, verdict])).toEqual([
    ["ratio", 1, "PASS"],
    ["goal", 1, "PASS"],
    ["further", 5, ""],
  ]);
});

test("a measure that a program forgot is no pass", () => {
  expect(judge(row, { goal: [1] })[0]?.verdict).toBe("FAIL");
});

test("what could not be measured says why in the table and is no miss", () => {
  const results = judge(row, { ratio: [1], goal: "it did not install" });
  expect(results[1]?.verdict).toBe("");
  expect(table(results).split("\n").at(-1)).toBe(
    "row  goal     –       –      –     ≤ 1     not measured: it did not install",
  );
});
