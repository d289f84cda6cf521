import { modeTable, type Profile, scriptProgram } from "../profile.js";
import { other } from "./other.js";

/** OpenClaw's bridge to its gateway, which must run. It takes up to a minute to start, and no servers of tools. */
export const openclaw: Profile = {
  ...other,
  id: "acp-openclaw",
  name: "OpenClaw",
  testedVersion: "2026.9.6",
  program: scriptProgram("openclaw", "openclaw", "openclaw.mjs"),
  args: ["acp"],
  env: { OPENCLAW_HIDE_BANNER: "1", OPENCLAW_SUPPRESS_NOTES: "1" },
  capabilities: ["streaming", "permissions", "always", "abort", "resume"],
  modes: modeTable({}),
  tools: { ...other.tools, names: [{ field: "_meta.toolName" }, { field: "rawInput.name" }, { field: "title" }] },
};
