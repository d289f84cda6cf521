import { type AcpAgent, askQuestion, call } from "../acp-agent.js";

export const CODEX_ACP: AcpAgent = {
  id: "acp-codex",
  folder: "codex-acp",
  beside: ["@openai/codex@0.166.0"],
  api: "responses",
  env: ({ home }) => ({
    CODEX_HOME: `${home}/.codex`,
    OPENAI_API_KEY: "test-key",
    NO_BROWSER: "1",
    INITIAL_AGENT_MODE: "read-only",
  }),
  files: (modelUrl) => ({ ".codex/config.toml": configOf(modelUrl) }),
  tools: {
    // Asked for in every mode that asks: the command is to run outside of the sandbox.
    shell: (cmd, free = false) =>
      call("exec_command", {
        cmd,
        ...(!free && { sandbox_permissions: "require_escalated", justification: "May I?" }),
      }),
    read: (path) => call("exec_command", { cmd: `cat ${path}` }),
    write: (path, content) =>
      patch([
        `*** Add File: ${path}`,
        ...content
          .trimEnd()
          .split("\n")
          .map((line) => `+${line}`),
      ]),
    edit: (path, before, after) => patch([`*** Update File: ${path}`, "@@", `-${before}`, `+${after}`]),
    question: (question, options) => askQuestion("request_user_input", question, options, { id: "choice" }),
  },
  // The model may ask in the mode of plans alone.
  beforeQuestion: async (driver) => {
    await driver.request("session.setOption", { option: "collaboration_mode", value: "plan" });
  },
  lacks: {
    "tool.sequence": "The calls of one response run at once, and are told in whatever order they get there.",
    "permission.sequence": "The calls of one response run at once, and ask in whatever order they get there.",
    "tool.parallel": "The calls of one response run at once, and are told in whatever order they get there.",
    "tool.unknown": "A call of a tool that does not exist is told to the model alone.",
    "turn.finish-refusal": "A refusal ends the turn as any other answer does.",
  },
  habits: { asksFor: ["shell", "write", "edit"], afterReject: "ends", tries: { auth: 2, request: 1, refusal: 1 } },
};

function patch(lines: readonly string[]) {
  const freeform = ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
  return { ...call("apply_patch", {}), freeform };
}

/** The last bundled model that calls tools directly. Without these tables the CLI looks for updates and tells of its use. */
function configOf(modelUrl: string): string {
  return `model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "on-request"
sandbox_mode = "read-only"
check_for_update_on_startup = false
[model_providers.scripted]
name = "Scripted"
base_url = "${modelUrl}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
supports_websockets = false
request_max_retries = 1
stream_max_retries = 1
[analytics]
enabled = false
[feedback]
enabled = false
[features]
apps = false
plugins = false
remote_plugin = false
`;
}
