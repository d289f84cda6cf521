import type { Client } from "../../../src/client/index.js";
import { hide } from "../../../src/conformance/placeholders.js";
import { openStore } from "../../../src/store/open-store.js";
import { EMPTY_STATE, type FinalDocument, finalDocument, reduce } from "../../../src/store/reduce.js";
import { type Cast, onStage, type Stage, sessionParams, within } from "../stage.js";
import { MortalGateway } from "./mortal-gateway.js";
import { OutlivingDriver } from "./outliving-driver.js";
import { PersistentClient } from "./persistent-client.js";
import { processesBelow } from "./processes.js";

const TIMEOUT_MS = 180_000;
/** A gateway is killed after so many events at most. */
const MOST_EVENTS = 12;

export interface RestartedRun {
  /** What the conversation came to. */
  readonly final: FinalDocument;
  /** How many gateways were killed on the way. */
  readonly kills: number;
}

export interface Restarts {
  /** Draws the moments of the kills, from 0 to 1; none are drawn without it. */
  readonly random?: () => number;
  /** What the user does; by default what the scenario says. */
  readonly drive?: (driver: OutlivingDriver) => Promise<void>;
}

/**
 * Lets one scenario happen while its gateways are killed, one after the other. Throws when the story did not go as told,
 * which includes that the model was asked for anything twice, or that a process was left behind.
 */
export function runWithRestarts(cast: Cast, restarts: Restarts): Promise<RestartedRun> {
  return onStage(cast, async (stage) => {
    const gateway = await MortalGateway.start(stage);
    try {
      await tell(stage, gateway, restarts);
    } finally {
      await gateway.close();
    }
    const left = processesBelow(stage.root).map((command) => `a process was left behind: ${command}`);
    const problems = [...stage.server.problems, ...stage.server.unserved, ...left];
    if (problems.length > 0) throw new Error(problems.join("\n"));
    return { final: hide(readFinal(gateway.db), stage.placeholders), kills: gateway.kills };
  });
}

/** Also a story that hangs lets go of its gateway. */
async function tell(stage: Stage, gateway: MortalGateway, restarts: Restarts): Promise<void> {
  const connection = await gateway.connect();
  try {
    await within(TIMEOUT_MS, drive(stage, gateway, connection, restarts));
  } finally {
    connection.close();
  }
}

async function drive(
  stage: Stage,
  gateway: MortalGateway,
  connection: Client,
  { random, drive = stage.scenario.drive }: Restarts,
): Promise<void> {
  const events = connection.events();
  const client = new PersistentClient(connection, gateway);
  const { session } = await client.call("session.create", sessionParams(stage));
  const driver = new OutlivingDriver({
    gateway,
    client,
    events,
    sessionID: session.id,
    model: stage.server,
    dirs: stage.dirs,
    onEvent: random ? killNowAndThen(gateway, random) : () => {},
  });
  await drive(driver);
}

function killNowAndThen(gateway: MortalGateway, random: () => number): () => void {
  const draw = () => 1 + Math.floor(random() * MOST_EVENTS);
  let left = draw();
  return () => {
    left -= 1;
    if (left > 0) return;
    left = draw();
    // A gateway that does not come back fails the next request of the story.
    gateway.restart().catch(() => {});
  };
}

/** The session that was made last, a fork where there is one, and its subagents. */
function readFinal(db: string): FinalDocument {
  const store = openStore({ path: db });
  try {
    const sessionID = store.sessions({ archived: true, limit: 1 })[0]?.id ?? "";
    const { events } = store.changesAfter(undefined, { sessionID }, Number.POSITIVE_INFINITY);
    return finalDocument(events.reduce((state, { event }) => reduce(state, event), EMPTY_STATE));
  } finally {
    store.close();
  }
}
