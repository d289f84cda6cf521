import { approximate, exact, modeTable, nativeProgram, type Profile } from "../profile.js";
import { other } from "./other.js";

const MODE = "https://agentclientprotocol.com/protocol/session-modes#";

/** GitHub Copilot CLI: failures are texts of a turn that ends well. */
export const copilot: Profile = {
  ...other,
  id: "acp-copilot",
  name: "GitHub Copilot CLI",
  testedVersion: "1.0.102",
  program: nativeProgram("copilot", "@github/copilot", "copilot"),
  args: ["--acp"],
  env: {},
  capabilities: ["streaming", "reasoning", "permissions", "always", "todos", "images", "abort", "resume", "usage"],
  modes: modeTable({
    default: exact(`${MODE}agent`),
    plan: exact(`${MODE}plan`),
    yolo: approximate(`${MODE}autopilot`),
    bypassPermissions: approximate(`${MODE}autopilot`),
  }),
  options: { allow_all: "string", permissions: "string" },
  tools: {
    names: [{ field: "name" }],
    outputTail: /<shellId: \d+ completed with exit code -?\d+>\s*$/,
    outputs: ["content", "rawOutput.content", "rawOutput"],
  },
  notices: [
    { pattern: /^Error: .*\(HTTP 40[13]\)/s, failure: { name: "auth", retryable: false } },
    { pattern: /^Error: 4(?:00|22)\b/, failure: { name: "invalid_request", retryable: false } },
    { pattern: /^Error: .*\b429\b/s, failure: { name: "rate_limit", retryable: true } },
    { pattern: /^Error: /, failure: { name: "unknown", retryable: true } },
    { pattern: /^(?:Info|Warning): / },
  ],
  // It takes two seconds to end with its input in the middle of a turn.
  inputEndMs: 4000,
};
