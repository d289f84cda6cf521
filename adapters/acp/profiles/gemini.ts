import { approximate, exact, modeTable, type Profile, scriptProgram } from "../profile.js";
import { other } from "./other.js";

/** Gemini CLI: no names of tools but in their ids, no inputs, and no call before its permission. */
export const gemini: Profile = {
  ...other,
  id: "acp-gemini",
  name: "Gemini CLI",
  testedVersion: "0.61.0",
  program: scriptProgram("gemini", "@google/gemini-cli", "bundle/gemini.js"),
  args: ["--acp"],
  // Else it starts itself once more as a child, and to kill it is not to kill that.
  env: { GEMINI_CLI_NO_RELAUNCH: "true" },
  capabilities: ["streaming", "reasoning", "permissions", "always", "images", "abort", "resume", "mcp", "usage"],
  modes: modeTable({
    default: exact("default"),
    acceptEdits: exact("autoEdit"),
    plan: exact("plan"),
    "read-only": approximate("plan"),
    yolo: exact("yolo"),
    bypassPermissions: exact("yolo"),
  }),
  tools: { ...other.tools, names: [{ id: /^(\w+?)__/ }], mcp: /^mcp_(.+?)_(.+)$/, titleIsCommand: true },
  replay: "after-answer",
  wholeThoughts: true,
  modeText: /^\[MODE_UPDATE\] (\S+)$/,
  // It does not end with its input while a command of it runs.
  inputEndMs: 500,
};
