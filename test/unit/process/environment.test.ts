import { expect, test } from "vitest";
import { buildEnvironment } from "../../../src/process/environment.js";

test.each([
  ["inherits", { HOME: "/h" }, {}, { HOME: "/h" }],
  ["keeps the gateway's own variables back", { HOME: "/h", AGENTWIRE_TOKEN: "s" }, {}, { HOME: "/h" }],
  ["unless the launch sets one", { AGENTWIRE_TOKEN: "s" }, { AGENTWIRE_MARK: "1" }, { AGENTWIRE_MARK: "1" }],
  ["sets", { A: "1" }, { B: "2" }, { A: "1", B: "2" }],
  ["replaces", { A: "1" }, { A: "2" }, { A: "2" }],
  ["sets to nothing", { A: "1" }, { A: "" }, { A: "" }],
  ["removes", { A: "1", B: "2" }, { A: undefined }, { B: "2" }],
  ["ignores what is not set", { A: undefined }, { B: undefined }, {}],
  ["tells names apart by case", { Path: "a" }, { PATH: "b" }, { Path: "a", PATH: "b" }],
])("%s", (_name, base, changes, expected) => {
  expect(buildEnvironment(base, changes, "linux")).toEqual(expected);
});

test.each([
  ["replaces a name in another case", { Path: "a" }, { PATH: "b" }, { PATH: "b" }],
  ["removes a name in another case", { ClaudeCode: "1" }, { CLAUDECODE: undefined }, {}],
  ["keeps its own back in any case", { Agentwire_Token: "s" }, {}, {}],
])("on Windows: %s", (_name, base, changes, expected) => {
  expect(buildEnvironment(base, changes, "win32")).toEqual(expected);
});

test("changes nothing it was given", () => {
  const base = Object.freeze({ A: "1" });
  expect(buildEnvironment(base, Object.freeze({ A: undefined }))).toEqual({});
});
