import type { Lanes } from "../openai/script.js";
import type { FullDriver, Scenario } from "../scenario.js";

/** What a scenario adds to the runner's `config.toml`: lines at its top, features, tables; and another provider. */
export type CodexScenario = Scenario<Lanes, FullDriver> & {
  readonly top?: string;
  readonly features?: string;
  readonly config?: string;
  readonly provider?: string;
  /** What the CLI does by default when the model's host cannot be reached: it tries for ever. */
  readonly unboundedRetries?: boolean;
};

/** The last bundled model that calls tools directly; the newer ones write programs that do. */
export const CODEX_MODEL = "gpt-5.5";
/** A model the CLI does not know: it gets the older tools for subagents, and those of MCP servers by name. */
export const PLAIN_MODEL = "scripted-model";
