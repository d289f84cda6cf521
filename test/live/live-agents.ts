import { liveAcp } from "./acp/live-acp.js";
import { liveClaude } from "./claude/live-agent.js";
import { liveCodex } from "./codex/live-agent.js";
import type { AnyLiveAgent } from "./live-agent.js";

/** Every agent that the runner can bring to life. */
const ALL: readonly AnyLiveAgent[] = [liveClaude, liveCodex, ...liveAcp];

/** The agents by their adapter's id. */
export const LIVE_AGENTS: ReadonlyMap<string, AnyLiveAgent> = new Map(ALL.map((agent) => [agent.id, agent]));

/** Agents that are named together. */
export const LIVE_GROUPS: ReadonlyMap<string, readonly AnyLiveAgent[]> = new Map([["acp", liveAcp]]);
