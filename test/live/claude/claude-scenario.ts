import type { Lanes } from "../anthropic/script.js";
import type { FullDriver, Scenario } from "../scenario.js";

export type ClaudeScenario = Scenario<Lanes>;
/** A scenario that also looks at other sessions than its own, or at the agent's process. */
export type ClaudeFullScenario = Scenario<Lanes, FullDriver>;

/** The model of a scenario that names none. Fixed, for the CLI's default and its tool list change with the account. */
export const CLAUDE_MODEL = "claude-sonnet-4-5";
