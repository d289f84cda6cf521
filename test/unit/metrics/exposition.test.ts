import { describe, expect, test } from "vitest";
import { Histogram } from "../../../src/histogram.js";
import { counter, gauge, histogram, writeExposition } from "../../../src/metrics/exposition.js";
import { parsePrometheus } from "./prometheus-text.js";

test("a counter and a gauge, with and without labels, in the same order each time", () => {
  const text = writeExposition([
    counter("frames", "Frames.", [
      [{ agent: "codex" }, 2],
      [{ agent: "claude" }, 1],
    ]),
    gauge("up", "Up.", 1.5),
    counter("nothing", "Nothing yet.", []),
  ]);
  expect(text).toBe(
    [
      "# HELP agentwire_frames_total Frames.",
      "# TYPE agentwire_frames_total counter",
      'agentwire_frames_total{agent="claude"} 1',
      'agentwire_frames_total{agent="codex"} 2',
      "# HELP agentwire_up Up.",
      "# TYPE agentwire_up gauge",
      "agentwire_up 1.5",
      "# HELP agentwire_nothing_total Nothing yet.",
      "# TYPE agentwire_nothing_total counter",
      "",
    ].join("\n"),
  );
});

test("what labels and help say is escaped, and nothing else", () => {
  const text = writeExposition([gauge("odd", 'a "b"\nc\\', [[{ name: 'a "b"\nc\\' }, 0]])]);
  expect(text.split("\n")).toEqual([
    '# HELP agentwire_odd a "b"\\nc\\\\',
    "# TYPE agentwire_odd gauge",
    'agentwire_odd{name="a \\"b\\"\\nc\\\\"} 0',
    "",
  ]);
  expect(() => parsePrometheus(text)).not.toThrow();
});

describe("a histogram", () => {
  test("counts a value at its bound, above the last and below the first", () => {
    const seconds = new Histogram([0.001, 0.5]);
    for (const value of [0, 0.001, 0.002, 0.5, 7]) seconds.observe(value);
    expect(seconds.counts).toEqual([2, 2, 1]);
  });

  test("is written with buckets that hold those before them", () => {
    const seconds = new Histogram([0.25, 0.5]);
    for (const value of [0.25, 0.5, 0.5, 1]) seconds.observe(value);
    expect(writeExposition([histogram("wait_seconds", "Waits.", [[{ method: "m" }, seconds]])]).split("\n")).toEqual([
      "# HELP agentwire_wait_seconds Waits.",
      "# TYPE agentwire_wait_seconds histogram",
      'agentwire_wait_seconds_bucket{method="m",le="0.25"} 1',
      'agentwire_wait_seconds_bucket{method="m",le="0.5"} 3',
      'agentwire_wait_seconds_bucket{method="m",le="+Inf"} 4',
      'agentwire_wait_seconds_sum{method="m"} 2.25',
      'agentwire_wait_seconds_count{method="m"} 4',
      "",
    ]);
  });
});

test.each([
  [Number.NaN, "NaN"],
  [Number.NEGATIVE_INFINITY, "-Inf"],
  [1e21, "1e+21"],
  [1.5e-7, "1.5e-7"],
])("the number %s is written as %s", (value, written) => {
  expect(writeExposition([gauge("x", "X.", value)])).toContain(`agentwire_x ${written}\n`);
});
