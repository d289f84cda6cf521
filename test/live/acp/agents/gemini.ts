import { type AcpAgent, call } from "../acp-agent.js";

export const GEMINI_CLI: AcpAgent = {
  id: "acp-gemini",
  folder: "gemini-cli",
  api: "gemini",
  env: (_dirs, modelUrl) => ({
    GEMINI_API_KEY: "test-key",
    GOOGLE_GEMINI_BASE_URL: modelUrl,
    GEMINI_TELEMETRY_ENABLED: "false",
    GEMINI_CLI_NO_RELAUNCH: "true",
  }),
  files: () => ({
    ".gemini/settings.json": {
      model: { name: "gemini-2.5-pro" },
      security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    },
  }),
  tools: {
    shell: (command) => call("run_shell_command", { command, description: "Run a command" }),
    read: (path) => call("read_file", { file_path: path }),
    write: (path, content) => call("write_file", { file_path: path, content }),
    edit: (path, before, after) =>
      call("replace", { file_path: path, old_string: before, new_string: after, instruction: "Change it" }),
    todos: (todos) =>
      call("write_todos", { todos: todos.map(({ content, status }) => ({ description: content, status })) }),
    mcp: (server, tool, input) => call(`mcp_${server}_${tool}`, input),
  },
  habits: {
    asksFor: ["shell", "write", "edit", "todos", "mcp"],
    afterReject: "goes-on",
    tries: { auth: 1, request: 1 },
  },
};
