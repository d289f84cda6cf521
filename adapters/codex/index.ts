import type { Adapter } from "../contract.js";
import { adopt } from "./adopt.js";
import { codexExec } from "./exec/index.js";
import { fork } from "./fork.js";
import { type CodexFrame, frameKind, parseFrame } from "./frame.js";
import { launch, PROGRAM } from "./launch.js";
import { MODES } from "./modes.js";
import { observe } from "./observe.js";
import type { CodexState } from "./state.js";
import { codexRollouts } from "./transcript/index.js";
import { init, step } from "./translate.js";
import { trimFrame } from "./trim.js";

/** Codex over the protocol of its `app-server`. */
export const codex: Adapter<CodexState, CodexFrame> = {
  id: "codex",
  name: "Codex",
  testedVersion: "0.171.0",
  channel: "jsonrpc",
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
    "review",
    "mcp",
    "client-tools",
    "usage",
  ],
  modes: MODES,
  options: { effort: "string" },
  files: { inline: ["image/", "text/", "application/json"], linked: ["*"] },
  program: PROGRAM,
  launch,
  parse: parseFrame,
  kindOf: frameKind,
  init,
  step,
  fork,
  trim: trimFrame,
  observe,
  printed: codexExec,
  transcripts: codexRollouts,
  adopt,
};
