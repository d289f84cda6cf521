import type { Adapter } from "../contract.js";
import { fork } from "./fork.js";
import { frameKind, joinFrames, type OpencodeFrame, parseFrame } from "./frame.js";
import { launch, PROGRAM } from "./launch.js";
import { MODES } from "./modes.js";
import { observe } from "./observe.js";
import { recorded } from "./recorded.js";
import type { OpencodeState } from "./state.js";
import { init, step } from "./translate.js";
import { trimFrame } from "./trim.js";

/** OpenCode over the HTTP of its `serve`. */
export const opencode: Adapter<OpencodeState, OpencodeFrame> = {
  id: "opencode",
  name: "OpenCode",
  testedVersion: "1.18.33",
  channel: "http",
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
    "resume",
    "fork",
    "compaction",
    "compact",
    "mcp",
    "usage",
    "cost",
  ],
  modes: MODES,
  options: { agent: "string", variant: "string" },
  files: { inline: ["*"], linked: ["*"] },
  program: PROGRAM,
  launch,
  parse: parseFrame,
  join: joinFrames,
  kindOf: frameKind,
  init,
  step,
  fork,
  trim: trimFrame,
  observe,
  recorded,
};
