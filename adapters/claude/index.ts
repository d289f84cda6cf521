import type { Adapter } from "../contract.js";
import { adopt } from "./adopt.js";
import { fork } from "./fork.js";
import { type ClaudeFrame, frameKind, parseFrame } from "./frame.js";
import { joinDeltas } from "./join.js";
import { launch, PROGRAM } from "./launch.js";
import { MODES } from "./modes.js";
import { observe } from "./observe.js";
import type { ClaudeState } from "./state.js";
import { claudeTranscripts } from "./transcript/index.js";
import { init, step } from "./translate.js";
import { trimFrame } from "./trim.js";

/** Claude Code over its stream-json protocol: the same one the vendor's own SDK speaks. */
export const claude: Adapter<ClaudeState, ClaudeFrame> = {
  id: "claude",
  name: "Claude Code",
  testedVersion: "2.1.332",
  channel: "ndjson",
  capabilities: [
    "streaming",
    "reasoning",
    "permissions",
    "always",
    "questions",
    "subagents",
    "todos",
    "images",
    "abort",
    "steer",
    "resume",
    "fork",
    "compaction",
    "compact",
    "mcp",
    "client-tools",
    "usage",
    "cost",
  ],
  modes: MODES,
  options: { maxThinkingTokens: "number" },
  files: { inline: ["image/", "application/pdf", "text/", "application/json"], linked: ["*"] },
  program: PROGRAM,
  launch,
  parse: parseFrame,
  join: joinDeltas,
  kindOf: frameKind,
  init,
  step,
  fork,
  trim: trimFrame,
  observe,
  transcripts: claudeTranscripts,
  adopt,
};
