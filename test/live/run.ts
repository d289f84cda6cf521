import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ADAPTERS } from "../../adapters/index.js";
import { finalOf } from "../../src/conformance/laws/events.js";
import { checkLaws } from "../../src/conformance/laws/index.js";
import { replay } from "../../src/conformance/replay.js";
import { eventsOf } from "../../src/conformance/run.js";
import { readExpected, writeExpected, writeTrace } from "../../src/conformance/trace.js";
import type { FinalDocument } from "../../src/store/reduce.js";
import { build } from "../build.js";
import { compare } from "./compare.js";
import type { AnyLiveAgent } from "./live-agent.js";
import { LIVE_AGENTS, LIVE_GROUPS } from "./live-agents.js";
import type { Outcome } from "./outcome.js";
import { playWithRestarts } from "./restarts/play-with-restarts.js";
import { runScenario } from "./run-scenario.js";
import { type AnyScenario, type Cast, unsteadyOf } from "./stage.js";

const GOLDEN = "golden-traces";
const AT_ONCE = 2;

interface Options {
  readonly record: boolean;
  /** Whether the gateway is killed again and again while a story goes on. */
  readonly restarts: boolean;
  /** A version in place of the pinned one. */
  readonly version?: string;
  readonly names: readonly string[];
  /** How many times each scenario runs. */
  readonly repeat: number;
}

/**
 * `npm run live -- AGENT [--record | --restarts] [--version latest] [--repeat N] [name…]`: every scenario with the real
 * CLI, against its golden trace. `acp` stands for every ACP agent, or for the one that is named behind it.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      record: { type: "boolean", default: false },
      restarts: { type: "boolean", default: false },
      version: { type: "string" },
      repeat: { type: "string", default: "1" },
    },
  });
  const { agents, names } = chosenAgents(positionals);
  const repeat = Number(values.repeat);
  if (!Number.isInteger(repeat) || repeat < 1)
    throw new Error(`--repeat takes how many times to run each scenario, not ${values.repeat}`);
  const { record, restarts, version } = values;
  if (record && restarts) throw new Error("a trace is recorded from a gateway that lives: leave out --restarts");
  const options = { record, restarts, ...(version && { version }), names, repeat };
  checkNames(agents, names);
  if (restarts) build();
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
    const options = "[--record | --restarts] [--version VERSION] [--repeat N]";
    throw new Error(`usage: npm run live -- ${known} ${options} [scenario…]`);
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
  const outcomes: Outcome[] = [];
  const work = async () => {
    for (let scenario = waiting.shift(); scenario; scenario = waiting.shift()) {
      const outcome = await runOne({ agent, scenario, installed }, options);
      console.log(lineOf(scenario, outcome));
      outcomes.push(outcome);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const failed = outcomes.filter(({ problems }) => problems.length > 0).length;
  const skipped = outcomes.filter((outcome) => outcome.skipped).length;
  const left = skipped === 0 ? "" : `, ${skipped} not for this`;
  console.log(`${outcomes.length - failed - skipped} passed, ${failed} failed${left}`);
  return failed === 0 && drift.length === 0;
}

function chosen({ scenarios }: AnyLiveAgent, names: readonly string[]): AnyScenario[] {
  return scenarios.filter(({ name }) => names.length === 0 || names.includes(name));
}

function lineOf({ name }: AnyScenario, { problems, note, skipped }: Outcome): string {
  const title = note === undefined ? name : `${name} (${note})`;
  if (problems.length > 0) return `FAIL  ${title}\n${problems.join("\n")}`;
  return `${skipped ? "-" : "ok"}     `.slice(0, 6) + title;
}

async function runOne(cast: Cast, options: Options): Promise<Outcome> {
  try {
    if (options.restarts) return await playWithRestarts(cast, readGolden(cast));
    return { problems: await play(cast, options) };
  } catch (error) {
    return { problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)] };
  }
}

async function play(cast: Cast, { record }: Options): Promise<string[]> {
  const trace = await runScenario(cast);
  const { run, expected, problems } = replay(trace);
  const broken = checkLaws(run).map(({ law, message }) => `law ${law}: ${message}`);
  if (problems.length + broken.length > 0) return [...problems, ...broken];
  if (!record) return compare(readGolden(cast), finalOf(eventsOf(run)), unsteadyOf(cast));
  writeTrace(folderOf(cast), trace);
  writeExpected(folderOf(cast), expected);
  return [];
}

function readGolden(cast: Cast): FinalDocument {
  const folder = folderOf(cast);
  if (!existsSync(folder)) throw new Error("there is no golden trace yet; record it with --record");
  return JSON.parse(readExpected(folder).final) as FinalDocument;
}

function folderOf({ agent, scenario }: Cast): string {
  return join(GOLDEN, agent.id, scenario.name);
}

await main();
