import { approximate, exact, modeTable, type Profile, scriptProgram } from "../profile.js";
import { other } from "./other.js";

/** Kimi Code: arguments stream as the content of the call, and usage comes after the answer to the prompt. */
export const kimi: Profile = {
  ...other,
  id: "acp-kimi",
  name: "Kimi Code",
  testedVersion: "2.1.0",
  program: scriptProgram("kimi", "@moonshot-ai/kimi-code", "dist/main.mjs"),
  args: ["acp"],
  env: {},
  capabilities: [
    "streaming",
    "reasoning",
    "permissions",
    "always",
    "questions",
    "todos",
    "images",
    "abort",
    "resume",
    "fork",
    "mcp",
  ],
  modes: modeTable({
    default: exact("default"),
    plan: exact("plan"),
    "read-only": approximate("plan"),
    auto: exact("auto"),
    yolo: exact("yolo"),
    bypassPermissions: exact("yolo"),
  }),
  options: { thinking: "string" },
  tools: { names: [{ field: "title" }], outputs: ["content", "rawOutput"], inputInContent: true },
  // A request that the API refuses ends the turn like any other, without a word.
  emptyTurnFails: true,
};
