import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { createTwoFilesPatch } from "diff";
import { ADAPTERS } from "../../adapters/index.js";
import { comparable } from "../../src/conformance/comparable.js";
import { finalOf } from "../../src/conformance/laws/events.js";
import { checkLaws } from "../../src/conformance/laws/index.js";
import { replay } from "../../src/conformance/replay.js";
import { eventsOf } from "../../src/conformance/run.js";
import { readExpected, type Trace, writeExpected, writeTrace } from "../../src/conformance/trace.js";
import type { ClaudeScenario } from "./claude/claude-scenario.js";
import { claudeScenarios } from "./claude/scenarios.js";
import { installClaude } from "./install.js";
import { runScenario } from "./run-scenario.js";

const GOLDEN = "golden-traces";
const AT_ONCE = 2;

interface Options {
  readonly record: boolean;
  readonly version: string;
  readonly names: readonly string[];
}

/** `npm run live -- claude [--record] [--version latest] [name…]`: every scenario with the real CLI, against its golden trace. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { record: { type: "boolean", default: false }, version: { type: "string" } },
  });
  const [agent, ...names] = positionals;
  if (agent !== "claude") throw new Error("usage: npm run live -- claude [--record] [--version VERSION] [scenario…]");
  const pinned = ADAPTERS.claude?.testedVersion ?? "latest";
  const options = { record: values.record, version: values.version ?? pinned, names };
  if (options.record && options.version !== pinned)
    throw new Error(`golden traces are recorded from version ${pinned}`);
  process.exitCode = (await runAll(options)) ? 0 : 1;
}

async function runAll(options: Options): Promise<boolean> {
  const agent = await installClaude({ version: options.version, agentsDir: ".agents" });
  console.log(`Claude Code ${agent.version}`);
  const waiting = chosen(options.names);
  const total = waiting.length;
  const failed: string[] = [];
  const work = async () => {
    for (let scenario = waiting.shift(); scenario; scenario = waiting.shift()) {
      const problems = await runOne(scenario, agent, options.record);
      console.log(problems.length === 0 ? `ok    ${scenario.name}` : `FAIL  ${scenario.name}\n${problems.join("\n")}`);
      if (problems.length > 0) failed.push(scenario.name);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.log(`${total - failed.length} passed, ${failed.length} failed`);
  return failed.length === 0;
}

function chosen(names: readonly string[]): ClaudeScenario[] {
  const known = new Set(claudeScenarios.map((scenario) => scenario.name));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Error(`there is no scenario ${unknown.join(", ")}`);
  return claudeScenarios.filter(({ name }) => names.length === 0 || names.includes(name));
}

async function runOne(
  scenario: ClaudeScenario,
  agent: Awaited<ReturnType<typeof installClaude>>,
  record: boolean,
): Promise<string[]> {
  try {
    const trace = await runScenario(scenario, agent);
    const { run, expected, problems } = replay(trace);
    const broken = checkLaws(run).map(({ law, message }) => `law ${law}: ${message}`);
    if (problems.length + broken.length > 0) return [...problems, ...broken];
    const folder = join(GOLDEN, trace.info.adapter, trace.info.name);
    if (!record) return compare(folder, trace);
    writeTrace(folder, trace);
    writeExpected(folder, expected);
    return [];
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
}

function compare(folder: string, trace: Trace): string[] {
  if (!existsSync(folder)) return ["there is no golden trace yet; record it with --record"];
  const golden = comparable(JSON.parse(readExpected(folder).final));
  const actual = comparable(finalOf(eventsOf(replay(trace).run)));
  if (isDeepStrictEqual(golden, actual)) return [];
  const text = (value: unknown) => JSON.stringify(value, null, 1);
  return [createTwoFilesPatch("golden", "actual", text(golden), text(actual))];
}

await main();
