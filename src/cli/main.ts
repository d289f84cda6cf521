#!/usr/bin/env node
import type { ErrorKind } from "../../schemas/error-table.js";
import { packageVersion } from "./package-info.js";
import { UsageError } from "./usage-error.js";
import type { Verb } from "./verb.js";

const VERBS: Readonly<Record<string, () => Promise<{ readonly verb: Verb }>>> = {
  run: () => import("./verbs/run.js"),
  serve: () => import("./verbs/serve.js"),
  status: () => import("./verbs/status.js"),
  stop: () => import("./verbs/stop.js"),
  stdio: () => import("./verbs/stdio.js"),
  attach: () => import("./verbs/attach.js"),
  sessions: () => import("./verbs/sessions.js"),
  permit: () => import("./verbs/permit.js"),
  agents: () => import("./verbs/agents.js"),
  doctor: () => import("./verbs/doctor.js"),
  normalize: () => import("./verbs/normalize.js"),
  import: () => import("./verbs/import.js"),
  db: () => import("./verbs/db.js"),
  trace: () => import("./verbs/trace.js"),
  schema: () => import("./verbs/schema.js"),
  demo: () => import("./verbs/demo.js"),
};

async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === "--version" || name === "-v") return print(packageVersion());
  if (name === undefined || name === "--help" || name === "-h" || name === "help") return printHelp(rest[0]);
  const verb = await loadVerb(name);
  if (rest.includes("--help") || rest.includes("-h")) return print(verb.usage);
  try {
    return await verb.run(rest);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`agentwire ${name}: ${error.message}\n\n${verb.usage}\n`);
    return exitCode("invalid_params");
  }
}

async function loadVerb(name: string): Promise<Verb> {
  const load = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (load) return (await load()).verb;
  process.stderr.write(`agentwire: there is no verb "${name}"; there are ${Object.keys(VERBS).join(", ")}\n`);
  process.exit(await exitCode("invalid_params"));
}

async function printHelp(name: string | undefined): Promise<number> {
  if (name !== undefined) return print((await loadVerb(name)).usage);
  const verbs = await Promise.all(
    Object.keys(VERBS).map(async (verb) => [verb, (await loadVerb(verb)).summary] as const),
  );
  const lines = verbs.map(([verb, summary]) => `  ${verb.padEnd(10)} ${summary}`);
  return print(
    [
      "agentwire: one wire for coding agents",
      "",
      "usage: agentwire <verb> [options]",
      "",
      ...lines,
      "",
      "agentwire <verb> --help tells more.",
    ].join("\n"),
  );
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

async function failure(error: unknown): Promise<number> {
  const { gatewayFailure } = await import("./gateway-failure.js");
  const failed = gatewayFailure(error);
  const hint = failed.detail.hint === undefined ? "" : `\n  ${failed.detail.hint}`;
  process.stderr.write(`agentwire: ${failed.message}${hint}\n`);
  if (failed.kind === "internal" && process.env.AGENTWIRE_DEBUG && error instanceof Error)
    process.stderr.write(`${error.stack}\n`);
  return exitCode(failed.kind);
}

/** Loaded late: with the schemas comes zod, which costs more than all the rest of a start. */
async function exitCode(kind: ErrorKind): Promise<number> {
  const { ERROR_TABLE } = await import("../../schemas/error-table.js");
  return ERROR_TABLE[kind].exitCode;
}

// A reader that went away (`| head`) is no failure of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
process.exitCode = await main(process.argv.slice(2)).catch(failure);
