import type { Adapter } from "../contract.js";
import { fork } from "./fork.js";
import { type CodexFrame, frameKind, parseFrame } from "./frame.js";
import { launch, PROGRAM } from "./launch.js";
import { MODES } from "./modes.js";
import { observe } from "./observe.js";
import type { CodexState } from "./state.js";
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
    "mcp",
    "client-tools",
    "usage",
  ],
  modes: MODES,
  options: { effort: "string" },
  program: PROGRAM,
  launch,
  parse: parseFrame,
  kindOf: frameKind,
  init,
  step,
  fork,
  trim: trimFrame,
  observe,
};
