import { ACP_ADAPTERS, declaredAcpAgent } from "./acp/index.js";
import { claude } from "./claude/index.js";
import { codex } from "./codex/index.js";
import type { AnyAdapter, DeclaredAgent } from "./contract.js";
import { opencode } from "./opencode/index.js";

/** Every adapter there is, by its id. The only list of them. */
export const ADAPTERS: Readonly<Record<string, AnyAdapter>> = { claude, codex, opencode, ...ACP_ADAPTERS };

/** Protocols that many agents speak: whoever speaks one needs no adapter of its own. */
export const PROTOCOLS: Readonly<Record<string, (agent: DeclaredAgent) => AnyAdapter>> = { acp: declaredAcpAgent };

export * from "./contract.js";
export * from "./transcript-reader.js";
