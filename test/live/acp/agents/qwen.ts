import { type AcpAgent, askQuestion, call } from "../acp-agent.js";

export const QWEN_CODE: AcpAgent = {
  id: "acp-qwen",
  folder: "qwen-code",
  api: "chat",
  // Told when it likes, also behind the end of the story.
  unsteady: ["commands"],
  env: (_dirs, modelUrl) => ({
    OPENAI_API_KEY: "test-key",
    OPENAI_BASE_URL: `${modelUrl}/v1`,
    OPENAI_MODEL: "scripted-model",
    QWEN_TELEMETRY_ENABLED: "false",
    QWEN_CODE_NO_RELAUNCH: "true",
  }),
  files: () => ({
    ".qwen/settings.json": {
      tools: { approvalMode: "default" },
      security: { auth: { selectedType: "openai" } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { enableAutoUpdate: false, disableUpdateNag: true, showSessionRecap: false },
      ui: { enableFollowupSuggestions: false },
      // Agents of the CLI's own that read the conversation after each turn.
      memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false, enableAutoSkill: false },
    },
  }),
  tools: {
    shell: (command) => call("run_shell_command", { command, description: "Run a command", is_background: false }),
    read: (path) => call("read_file", { file_path: path }),
    write: (path, content) => call("write_file", { file_path: path, content }),
    edit: (path, before, after) => call("edit", { file_path: path, old_string: before, new_string: after }),
    question: (question, options) => askQuestion("ask_user_question", question, options, { multiSelect: false }),
  },
  lacks: {
    "process.exit-mid-stream": "Killed, it may still say that the turn was cancelled.",
    "process.exit-mid-tool": "Killed, it may still say that the turn was cancelled.",
    "process.exit-blocked": "Killed, it may still say that the turn was cancelled.",
    "model.set": "The one model is that of its variables.",
    "permission.always": "It offers two ways to allow always, of which the user names one.",
    "permission.not-asked-again": "It offers two ways to allow always, of which the user names one.",
    "image.prompt": "Images are left out for a model that it does not know to see them.",
    "turn.finish-refusal": "A refusal ends the turn as any other answer does.",
  },
  habits: { asksFor: ["shell", "write", "edit"], afterReject: "ends", tries: { auth: 1, request: 1, refusal: 1 } },
};
