import pino from "pino";
import { expect, test } from "vitest";
import { GatewayError } from "../../../src/gateway-error.js";
import { observeRequest } from "../../../src/server/observe-request.js";
import { ServerCounts } from "../../../src/server/server-counts.js";

function observing() {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: "debug", base: null }, { write: (line) => void lines.push(JSON.parse(line)) });
  return { lines, to: { log, counts: new ServerCounts() } };
}

test("a request is counted and logged by what came of it, and not with what it said", async () => {
  const { lines, to } = observing();
  expect(await observeRequest(to, "todo.get", async () => ({ todos: ["private"] }))).toEqual({ todos: ["private"] });
  const failing = observeRequest(to, "todo.get", async () => {
    throw new GatewayError("not_found", "there is no session private");
  });
  await expect(failing).rejects.toThrow("private");
  const { outcomes, seconds } = to.counts.methods.get("todo.get") ?? {};
  expect([...(outcomes ?? [])]).toEqual([
    ["ok", 1],
    ["not_found", 1],
  ]);
  expect(seconds?.counts.reduce((sum, value) => sum + value)).toBe(2);
  expect(lines).toMatchObject([
    { level: 20, request: 1, method: "todo.get", kind: "ok", ms: expect.any(Number) },
    { level: 20, request: 2, method: "todo.get", kind: "not_found" },
  ]);
  expect(JSON.stringify(lines)).not.toContain("private");
});

test("what was not thrown on purpose counts as internal", async () => {
  const { to } = observing();
  await expect(observeRequest(to, "todo.get", () => Promise.reject(new TypeError("bug")))).rejects.toThrow("bug");
  expect(to.counts.methods.get("todo.get")?.outcomes.get("internal")).toBe(1);
});

test("names that clients make up are one label", () => {
  const counts = new ServerCounts();
  for (const name of ["nothing", "constructor", "__proto__", "x".repeat(10_000)]) {
    counts.countRequest(name, "method_not_found", 0);
  }
  expect([...counts.methods.keys()]).toEqual(["unknown"]);
  expect(counts.methods.get("unknown")?.outcomes.get("method_not_found")).toBe(4);
});
