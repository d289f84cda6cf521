import { claude } from "./claude/index.js";
import { codex } from "./codex/index.js";
import type { AnyAdapter } from "./contract.js";
import { opencode } from "./opencode/index.js";

/** Every adapter there is, by its id. The only list of them. */
export const ADAPTERS: Readonly<Record<string, AnyAdapter>> = { claude, codex, opencode };

export * from "./contract.js";
export * from "./transcript-reader.js";
