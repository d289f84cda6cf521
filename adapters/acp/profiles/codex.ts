import { approximate, exact, modeTable, type Profile, scriptProgram } from "../profile.js";
import { other } from "./other.js";

const INHERITED = ["CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID", "CODEX_CI"];

/** Codex through the ACP bridge of the protocol's makers: output of commands comes beside the protocol. */
export const codex: Profile = {
  ...other,
  id: "acp-codex",
  name: "Codex (ACP)",
  testedVersion: "2.6.0",
  program: scriptProgram("codex-acp", "@agentclientprotocol/codex-acp", "dist/index.js"),
  args: [],
  // A sign-in may not open a browser by itself.
  env: { NO_BROWSER: "1", ...Object.fromEntries(INHERITED.map((name) => [name, undefined])) },
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
    "usage",
  ],
  // "read-only" asks before it writes, so it is the wire's default and not its read-only; in "agent" a model decides.
  modes: modeTable({
    default: exact("read-only"),
    acceptEdits: approximate("workspace-write"),
    auto: approximate("agent"),
    yolo: exact("agent-full-access"),
    bypassPermissions: exact("agent-full-access"),
  }),
  options: { reasoning_effort: "string", collaboration_mode: "string", "fast-mode": "boolean" },
  tools: { names: [{ field: "name" }], outputs: ["terminal", "content", "rawOutput"] },
  messageIDs: "item",
  // What the API answers is told as a text, and the turn ends well.
  notices: [
    { pattern: /^(?:Config w|W)arning: / },
    { pattern: /^\{"error":\{.*\}\}\s*$/s, failure: { name: "invalid_request", retryable: false } },
    { pattern: /^Incomplete response returned, reason: /, failure: { name: "output_length", retryable: false } },
  ],
  ignored: ["_auth/status_update"],
  // It takes two seconds to end with its input.
  inputEndMs: 4000,
};
