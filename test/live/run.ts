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
import type { InstalledAgent } from "./install.js";
import type { AnyLiveAgent } from "./live-agent.js";
import { LIVE_AGENTS, LIVE_GROUPS } from "./live-agents.js";
import { runScenario } from "./run-scenario.js";

const GOLDEN = "golden-traces";
const AT_ONCE = 2;

type AnyScenario = AnyLiveAgent["scenarios"][number];

interface Options {
  readonly record: boolean;
  /** A version in place of the pinned one. */
  readonly version?: string;
  readonly names: readonly string[];
  /** How many times each scenario runs. */
  readonly repeat: number;
}

/**
 * `npm run live -- AGENT [--record] [--version latest] [--repeat N] [name…]`: every scenario with the real CLI, against its
 * golden trace. `acp` stands for every ACP agent, or for the one that is named behind it.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      record: { type: "boolean", default: false },
      version: { type: "string" },
      repeat: { type: "string", default: "1" },
    },
  });
  const { agents, names } = chosenAgents(positionals);
  const repeat = Number(values.repeat);
  if (!Number.isInteger(repeat) || repeat < 1)
    throw new Error(`--repeat takes how many times to run each scenario, not ${values.repeat}`);
  const options = { record: values.record, ...(values.version && { version: values.version }), names, repeat };
  checkNames(agents, names);
  let failed = 0;
  for (const agent of agents) if (!(await runAll(agent, options))) failed++;
  process.exitCode = failed === 0 ? 0 : 1;
}

interface Chosen {
  readonly agents: readonly AnyLiveAgent[];
  /** The scenarios' names. */
  readonly names: readonly string[];
}

function chosenAgents([id = "", ...rest]: readonly string[]): Chosen {
  const agent = LIVE_AGENTS.get(id);
  if (agent) return { agents: [agent], names: rest };
  const group = LIVE_GROUPS.get(id);
  if (!group) {
    const known = [...LIVE_GROUPS.keys(), ...LIVE_AGENTS.keys()].join("|");
    throw new Error(`usage: npm run live -- ${known} [--record] [--version VERSION] [--repeat N] [scenario…]`);
  }
  const member = group.find((candidate) => [rest[0], `${id}-${rest[0]}`].includes(candidate.id));
  return member ? { agents: [member], names: rest.slice(1) } : { agents: group, names: rest };
}

/** Each name must be of one agent's scenario at least. */
function checkNames(agents: readonly AnyLiveAgent[], names: readonly string[]): void {
  const known = new Set(agents.flatMap(({ scenarios }) => scenarios.map(({ name }) => name)));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Error(`there is no scenario ${unknown.join(", ")}`);
}

async function runAll(agent: AnyLiveAgent, options: Options): Promise<boolean> {
  const pinned = ADAPTERS[agent.id]?.testedVersion ?? "latest";
  const version = options.version ?? pinned;
  if (options.record && version !== pinned) throw new Error(`golden traces are recorded from version ${pinned}`);
  const installed = await agent.install({ version, agentsDir: ".agents" });
  console.log(`${ADAPTERS[agent.id]?.name} ${installed.version}`);
  const drift = (await agent.drift?.(installed)) ?? [];
  for (const line of drift) console.log(`drift ${line}`);
  const waiting = chosen(agent, options.names).flatMap((scenario) =>
    Array.from({ length: options.repeat }, () => scenario),
  );
  const total = waiting.length;
  const failed: string[] = [];
  const work = async () => {
    for (let scenario = waiting.shift(); scenario; scenario = waiting.shift()) {
      const problems = await runOne({ agent, scenario, installed }, options);
      console.log(problems.length === 0 ? `ok    ${scenario.name}` : `FAIL  ${scenario.name}\n${problems.join("\n")}`);
      if (problems.length > 0) failed.push(scenario.name);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.log(`${total - failed.length} passed, ${failed.length} failed`);
  return failed.length === 0 && drift.length === 0;
}

function chosen({ scenarios }: AnyLiveAgent, names: readonly string[]): AnyScenario[] {
  return scenarios.filter(({ name }) => names.length === 0 || names.includes(name));
}

interface OneRun {
  readonly agent: AnyLiveAgent;
  readonly scenario: AnyScenario;
  readonly installed: InstalledAgent;
}

async function runOne({ agent, scenario, installed }: OneRun, { record }: Options): Promise<string[]> {
  try {
    const trace = await runScenario(agent, scenario, installed);
    const { run, expected, problems } = replay(trace);
    const broken = checkLaws(run).map(({ law, message }) => `law ${law}: ${message}`);
    if (problems.length + broken.length > 0) return [...problems, ...broken];
    const folder = join(GOLDEN, trace.info.adapter, trace.info.name);
    if (!record) return compare(folder, trace, [...(agent.unsteady ?? []), ...(scenario.unsteady ?? [])]);
    writeTrace(folder, trace);
    writeExpected(folder, expected);
    return [];
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
}

function compare(folder: string, trace: Trace, unsteady: readonly string[]): string[] {
  if (!existsSync(folder)) return ["there is no golden trace yet; record it with --record"];
  const golden = comparable(JSON.parse(readExpected(folder).final), unsteady);
  const actual = comparable(finalOf(eventsOf(replay(trace).run)), unsteady);
  if (isDeepStrictEqual(golden, actual)) return [];
  const text = (value: unknown) => JSON.stringify(value, null, 1);
  return [createTwoFilesPatch("golden", "actual", text(golden), text(actual))];
}

await main();
