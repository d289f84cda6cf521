import { approximate, modeTable, nativeProgram, type Profile } from "../profile.js";
import { other } from "./other.js";

/** OpenCode's own `acp` command. Its subagents' permissions never come, and hang: its server shows them. */
export const opencode: Profile = {
  ...other,
  id: "acp-opencode",
  name: "OpenCode (ACP)",
  testedVersion: "1.18.33",
  program: nativeProgram("opencode", "opencode", "bin/opencode"),
  args: ["acp"],
  env: {},
  capabilities: [
    "streaming",
    "reasoning",
    "permissions",
    "always",
    "images",
    "abort",
    "resume",
    "fork",
    "mcp",
    "usage",
    "cost",
  ],
  modes: modeTable({ default: approximate("build"), plan: approximate("plan") }),
  options: { effort: "string" },
  tools: { ...other.tools, names: [{ field: "title" }], mcp: /^([^_]+)_(.+)$/ },
  promptUsage: "last-response",
};
