import { exact, modeTable, type Profile, scriptProgram } from "../profile.js";
import { other } from "./other.js";

/** Set for the commands of a Claude Code that runs the gateway; inherited, they would change what the child does. */
const INHERITED = ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT"];

/** Claude Code through the ACP bridge of the protocol's makers. */
export const claude: Profile = {
  ...other,
  id: "acp-claude",
  name: "Claude Code (ACP)",
  testedVersion: "0.101.0",
  program: scriptProgram("claude-agent-acp", "@agentclientprotocol/claude-agent-acp", "dist/index.js"),
  args: [],
  env: Object.fromEntries(INHERITED.map((name) => [name, undefined])),
  capabilities: [
    "streaming",
    "reasoning",
    "permissions",
    "always",
    "questions",
    "subagents",
    "images",
    "abort",
    "resume",
    "fork",
    "mcp",
    "usage",
    "cost",
  ],
  modes: modeTable({
    default: exact("default"),
    acceptEdits: exact("acceptEdits"),
    plan: exact("plan"),
    auto: exact("auto"),
    yolo: exact("bypassPermissions"),
    bypassPermissions: exact("bypassPermissions"),
  }),
  options: { effort: "string", fast: "boolean", ultracode: "boolean" },
  tools: {
    names: [{ field: "name" }, { field: "_meta.claudeCode.toolName" }],
    outputs: ["rawOutput", "_meta.claudeCode.toolResponse.stdout", "content"],
  },
  notices: [{ pattern: /^\*\*Warning:\*\*/ }],
  parentCall: "_meta.claudeCode.parentToolUseId",
  ignored: ["_auth/status_update"],
};
