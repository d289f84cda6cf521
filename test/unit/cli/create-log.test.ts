import { expect, test } from "vitest";
import { createLog, type LogOptions } from "../../../src/cli/create-log.js";
import { GatewayError } from "../../../src/gateway-error.js";
import { createRedactor } from "../../../src/redact.js";

function logTo(lines: string[], options: Partial<LogOptions>) {
  const destination = { write: (line: string) => void lines.push(line) };
  return createLog({ level: "debug", isTerminal: false, redact: createRedactor({ env: {} }), destination, ...options });
}

test("a line is JSON where no person reads it; an error has its kind, its cause and its stack", () => {
  const lines: string[] = [];
  const cause = new Error("SQLITE_FULL");
  const error = new GatewayError("storage", "the disk is full", { cause });
  logTo(lines, {}).error({ error, sessionIDs: ["ses_1"] }, "the store failed");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    level: 50,
    msg: "the store failed",
    sessionIDs: ["ses_1"],
    error: {
      message: expect.stringContaining("the disk is full"),
      kind: "storage",
      stack: expect.stringContaining("SQLITE_FULL"),
    },
  });
});

test.each([true, false])(
  "secrets are taken out of every field, of errors and of child loggers; terminal: %s",
  (isTerminal) => {
    const lines: string[] = [];
    const log = logTo(lines, { isTerminal, redact: createRedactor({ env: {}, secrets: ["s3cr3t"] }) });
    log
      .child({ via: "s3cr3t" })
      .warn({ deep: { list: ["s3cr3t"] }, err: new Error("no s3cr3t") }, "said s3cr3t %s", "s3cr3t");
    expect(lines.join("")).not.toContain("s3cr3t");
    expect(lines.join("").match(/\[redacted\]/g)?.length).toBeGreaterThanOrEqual(5);
  },
);

test("on a terminal it is one line that drives no terminal", () => {
  const lines: string[] = [];
  const log = logTo(lines, { isTerminal: true });
  log.info({ pid: 12, sessionID: "ses_1", program: "/bin/my agent", "odd\u0007": null }, "runs");
  log.debug({ stderr: "\u001b[2Jred\nnext\u009b1m\u202e", kind: "a=b" }, "agent \u001b]0;title\u0007stderr");
  expect(lines.map((line) => line.replace(/^\d\d:\d\d:\d\d\.\d{3} /, "T "))).toEqual([
    'T info  runs sessionID=ses_1 pid=12 program="/bin/my agent" odd\\u0007=null\n',
    'T debug agent \\u001b]0;title\\u0007stderr stderr="\\u001b[2Jred\\nnext\\u009b1m\\u202e" kind="a=b"\n',
  ]);
});

test("on a terminal an error is its type, its message and where it was thrown", () => {
  const lines: string[] = [];
  logTo(lines, { isTerminal: true }).error({ err: new TypeError("not a function") }, "a request failed");
  expect(lines[0]).toMatch(
    / error a request failed err="TypeError: not a function \(at .*create-log\.test\.ts:\d+:\d+\)"\n$/,
  );
});
