import { ACP_ADAPTERS } from "./acp/index.js";
import { claude } from "./claude/index.js";
import { codex } from "./codex/index.js";
import type { AnyAdapter } from "./contract.js";

/** Every adapter there is, by its id. The only list of them. */
export const ADAPTERS: Readonly<Record<string, AnyAdapter>> = { claude, codex, ...ACP_ADAPTERS };

export * from "./contract.js";
export * from "./transcript-reader.js";
