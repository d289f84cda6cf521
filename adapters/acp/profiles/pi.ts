import { approximate, exact, modeTable, type Profile, scriptProgram } from "../profile.js";
import { other } from "./other.js";

/** pi through its ACP bridge: it asks nobody, its modes are levels of thought, and a failed turn says nothing at all. */
export const pi: Profile = {
  ...other,
  id: "acp-pi",
  name: "pi",
  testedVersion: "0.0.34",
  // The bridge cannot be asked for its version: it waits for the protocol's first line.
  program: { ...scriptProgram("pi-acp", "pi-acp", "dist/index.js"), versionArgs: [] },
  args: [],
  env: {},
  capabilities: ["streaming", "reasoning", "images", "abort", "resume"],
  modes: modeTable({ default: approximate(""), yolo: exact(""), bypassPermissions: exact("") }),
  tools: {
    names: [{ field: "title" }],
    titleIsCommand: true,
    outputs: ["terminal", "content", "rawOutput.structuredContent", "rawOutput.content"],
  },
  notices: [
    { pattern: /^Queued message \(position \d+\)\.$/ },
    { pattern: /^Starting queued message\. \(\d+ remaining\)$/ },
    { pattern: /^Retrying \(attempt \d+\/\d+/ },
  ],
  emptyTurnFails: true,
};
