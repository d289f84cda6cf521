import type { InstalledAgent, InstallOptions } from "./install.js";
import type { FullDriver, Scenario, ScenarioDirs, ScriptedModel } from "./scenario.js";

/** A model server on loopback, at work for one scenario. */
export interface ModelServer extends ScriptedModel {
  readonly url: string;
  /** What went against the script; a scenario fails when there is any. */
  readonly problems: readonly string[];
  /** Answers that were scripted but never asked for; at the end of a scenario there should be none. */
  readonly unserved: readonly string[];
  close(): Promise<void>;
}

/** Everything that the runner must know of one agent. `Script` is the dialect of its model server. */
export interface LiveAgent<Script> {
  /** The adapter's id, and the folder below `golden-traces`. */
  readonly id: string;
  /** The model of a scenario that names none; the CLI's own where it is left out. */
  readonly model?: string;
  /** Fields of the final state that differ from run to run. */
  readonly unsteady?: readonly string[];
  readonly scenarios: readonly Scenario<Script, FullDriver>[];
  /** How long a scenario may take, in milliseconds, where the CLI is slow to start; a minute by default. */
  readonly timeoutMs?: number;
  /**
   * What the model says where the agents' host dies while a tool waits (`restarts/host-dies.ts`), and the scenario beside
   * which that is told.
   */
  readonly hostDies?: { readonly beside: string; readonly script: Script };
  install(options: InstallOptions): Promise<InstalledAgent>;
  startModel(script: Script): Promise<ModelServer>;
  /** Variables of the CLI beside PATH, HOME and TMPDIR: only loopback is reached, and the key is none. */
  env(dirs: ScenarioDirs, modelUrl: string): Readonly<Record<string, string>>;
  /** How the CLI's own description of its protocol differs from what the adapter knows; nothing for the pinned version. */
  drift?(installed: InstalledAgent): Promise<readonly string[]>;
  /** Makes the files that the CLI needs to find its model server. */
  prepare?(dirs: ScenarioDirs, modelUrl: string, scenario: Scenario<Script, FullDriver>): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: the script type is private to each agent
export type AnyLiveAgent = LiveAgent<any>;
