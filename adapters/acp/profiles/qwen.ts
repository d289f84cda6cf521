import { approximate, exact, modeTable, type Profile, scriptProgram } from "../profile.js";
import { other } from "./other.js";

/** Qwen Code: usage with each response, questions as permissions, background agents that answer in turns of their own. */
export const qwen: Profile = {
  ...other,
  id: "acp-qwen",
  name: "Qwen Code",
  testedVersion: "0.24.4",
  program: scriptProgram("qwen", "@qwen-code/qwen-code", "cli-entry.js"),
  args: ["--acp"],
  env: {},
  capabilities: [
    "streaming",
    "reasoning",
    "permissions",
    "always",
    "questions",
    "images",
    "abort",
    "resume",
    "mcp",
    "usage",
  ],
  modes: modeTable({
    default: exact("default"),
    acceptEdits: exact("auto-edit"),
    plan: exact("plan"),
    "read-only": approximate("plan"),
    auto: exact("auto"),
    yolo: exact("yolo"),
    bypassPermissions: exact("yolo"),
  }),
  tools: {
    names: [{ field: "_meta.toolName" }],
    outputs: ["rawOutput.output", "content", "rawOutput", "rawOutput.text"],
  },
  discrete: "_meta.qwenDiscreteMessage",
  noteSource: { field: "_meta.source", values: ["background_task_completed", "background_notification"] },
  questions: ["_meta", "qwenQuestions"],
  ownTurnEnd: "_qwencode/end_turn",
  ignored: [
    "qwen/notify/session/mode-update",
    "qwen/notify/session/model-update",
    "qwen/notify/session/prompt-suggestion",
  ],
  // It does not end with its input while a command of it runs.
  inputEndMs: 500,
};
