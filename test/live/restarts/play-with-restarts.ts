import type { FinalDocument } from "../../../src/store/reduce.js";
import { compare } from "../compare.js";
import type { Outcome } from "../outcome.js";
import { type Cast, unsteadyOf } from "../stage.js";
import { conversations } from "./conversation.js";
import { hostDies } from "./host-dies.js";
import { NotForClients } from "./outliving-driver.js";
import { runWithRestarts } from "./run-with-restarts.js";

/** When a command is thought to go on for long, and gets an id, hangs on how long the gateways were away. */
const UNSTEADY = ["taskID"];

/** Plays a scenario with restarts, and holds what it came to against what it comes to without them. */
export async function playWithRestarts(cast: Cast, golden: FinalDocument): Promise<Outcome> {
  const { agent, scenario } = cast;
  if (scenario.takenOver) return { problems: [], skipped: true, note: "it goes on in a gateway that imports it" };
  try {
    const { final, kills } = await runWithRestarts(cast, { random: Math.random });
    if (scenario.name === agent.hostDies?.beside) await loseHost(cast, agent.hostDies.script);
    const unsteady = [...unsteadyOf(cast), ...UNSTEADY];
    return { problems: compare(...conversations(golden, final), unsteady), note: `${kills} kills` };
  } catch (error) {
    if (error instanceof NotForClients) return { problems: [], skipped: true, note: error.message };
    throw error;
  }
}

async function loseHost(cast: Cast, script: unknown): Promise<void> {
  const scenario = { ...cast.scenario, script: () => script };
  await runWithRestarts({ ...cast, scenario }, { drive: hostDies });
}
