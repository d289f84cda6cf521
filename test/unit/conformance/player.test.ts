import { expect, test } from "vitest";
import { playTrace } from "../../../src/conformance/player.js";
import { readTrace } from "../../../src/conformance/trace.js";

/** What the gateway sends in a trace, as it is on the wire: with the id that a token stands for. */
function linesOf(folder: string): string[] {
  return readTrace(folder).native.flatMap((line) => {
    if (line.kind !== "expect" || line.output.kind !== "send") return [];
    const { token, ...frame } = line.output.frame as Record<string, unknown>;
    return [JSON.stringify(token === undefined ? frame : { id: JSON.parse(String(token)), ...frame })];
  });
}

test("a trace of a JSON-RPC agent is played with the ids of the wire", async () => {
  const folder = "golden-traces/codex/exec-once";
  const sent = linesOf(folder);
  const written: Record<string, unknown>[] = [];
  await playTrace(readTrace(folder), {
    placeholders: [],
    suffix: "x",
    write: (line) => written.push(JSON.parse(line)),
    pause: async () => undefined,
    next: async () => sent.shift(),
  });
  expect(sent).toEqual([]);
  expect(written.filter((frame) => "token" in frame)).toEqual([]);
  expect(written.find(({ method }) => String(method).endsWith("requestApproval"))).toMatchObject({ id: 0 });
});
