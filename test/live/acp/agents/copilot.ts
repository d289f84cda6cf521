import { type AcpAgent, call } from "../acp-agent.js";

export const COPILOT: AcpAgent = {
  id: "acp-copilot",
  folder: "copilot",
  api: "chat",
  // What it guesses of its own context, which holds times and paths.
  unsteady: ["contextTokens"],
  env: (_dirs, modelUrl) => ({
    COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
    COPILOT_PROVIDER_API_KEY: "test-key",
    COPILOT_PROVIDER_TYPE: "openai",
    COPILOT_MODEL: "scripted-model",
    COPILOT_OFFLINE: "true",
    COPILOT_AUTO_UPDATE: "false",
  }),
  files: () => ({}),
  tools: {
    shell: (command) => call("bash", { command, description: "Run a command" }),
    read: (path) => call("view", { path }),
    write: (path, content) => call("create", { path, file_text: content }),
    edit: (path, before, after) => call("edit", { path, old_str: before, new_str: after }),
    subagent: (prompt) =>
      call("task", { description: "A task", name: "child", prompt, agent_type: "general-purpose", mode: "sync" }),
  },
  lacks: {
    "mode.bypassPermissions": "Its autopilot asks the model again and again, until that calls the task complete.",
    "mode.set": "Its autopilot asks the model again and again, until that calls the task complete.",
    "model.set": "The one model is that of its variables.",
    "turn.finish-refusal": "A refusal ends the turn as any other answer does.",
  },
  habits: {
    asksFor: ["shell", "write", "edit", "shell-in-subagent"],
    afterReject: "ends",
    tries: { auth: 3, request: 1, refusal: 1 },
  },
};
