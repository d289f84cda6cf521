import type { Lanes } from "../model-server/script.js";
import type { FullDriver, Scenario } from "../scenario.js";
import type { AcpAgent } from "./acp-agent.js";

export type AcpScenario = Scenario<Lanes, FullDriver>;

/** The stories of one topic, as one agent plays them; none of those whose tools it lacks. */
export type AcpStories = (agent: AcpAgent) => readonly AcpScenario[];
