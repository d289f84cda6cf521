import type { Lanes } from "../anthropic/script.js";
import type { Scenario } from "../scenario.js";

export type ClaudeScenario = Scenario<Lanes>;

/** The model of a scenario that names none. Fixed, for the CLI's default and its tool list change with the account. */
export const CLAUDE_MODEL = "claude-sonnet-4-5";
