// The CPU time of a process's start, against one that does nothing.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { divide, report, reps } from "./report.mjs";

const CPU_PROBE = fileURLToPath(new URL("cpu-probe.cjs", import.meta.url));
const EMPTY = fileURLToPath(new URL("empty.mjs", import.meta.url));
const MAIN = fileURLToPath(new URL("../../../dist/src/cli/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agentwire-bench-"));
const SERVE = ["serve", "--port", "0", "--db", join(folder, "bench.db"), "--token-file", join(folder, "token")];

/** Certificates to read would be most of the start. */
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;

/** Starts a program, until it ends or has said `until`; the probe says what it cost. */
async function cpuOf(args, until) {
  const stdio = ["ignore", "pipe", "inherit", "pipe"];
  const child = spawn(process.execPath, ["--require", CPU_PROBE, ...args], { stdio, env });
  let cpu = "";
  child.stdio[3].on("data", (text) => {
    cpu += text;
  });
  if (until) {
    child.stdout.on("data", (text) => String(text).includes(until) && child.kill("SIGTERM"));
  }
  await once(child, "close");
  return Number(cpu.split("\n")[0]);
}

const [empty, version, serve] = [[], [], []];
for (let rep = 0; rep < reps * 2; rep += 1) {
  empty.push(await cpuOf([EMPTY]));
  version.push(await cpuOf([MAIN, "--version"]));
  serve.push(await cpuOf([MAIN, ...SERVE], "serves"));
}
rmSync(folder, { recursive: true });
report({ "--version": divide(version, empty), serve: divide(serve, empty), "empty node, CPU ms": empty });
