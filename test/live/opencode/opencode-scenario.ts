import type { Lanes } from "../anthropic/script.js";
import type { FullDriver, Scenario } from "../scenario.js";

/** What a scenario adds to the runner's `opencode.json`. */
export type OpencodeScenario = Scenario<Lanes, FullDriver> & {
  readonly config?: Readonly<Record<string, unknown>>;
};

export const OPENCODE_MODEL = "scripted/model-1";
/** Another model of the same provider. */
export const OTHER_MODEL = "scripted/model-2";
