import { type AcpAgent, call } from "../acp-agent.js";

/** A model's capabilities as the agent wants them told. */
const MODEL = {
  tool_call: true,
  reasoning: true,
  attachment: true,
  modalities: { input: ["text", "image"], output: ["text"] },
  cost: { input: 1, output: 2, cache_read: 0.1 },
  limit: { context: 100_000, output: 8000 },
};

export const OPENCODE: AcpAgent = {
  id: "acp-opencode",
  folder: "opencode",
  api: "chat",
  // After an abort it tells of them or not.
  unsteady: ["contextTokens", "contextWindow"],
  timeoutMs: 180_000,
  env: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    OPENCODE_DISABLE_SHARE: "1",
  }),
  files: (modelUrl) => ({
    ".config/opencode/opencode.json": {
      autoupdate: false,
      share: "disabled",
      model: "scripted/one",
      small_model: "scripted/one",
      enabled_providers: ["scripted"],
      provider: {
        scripted: {
          npm: "@ai-sdk/openai-compatible",
          name: "Scripted",
          options: { baseURL: `${modelUrl}/v1`, apiKey: "test-key" },
          models: { one: { name: "One", ...MODEL }, two: { name: "Two", ...MODEL } },
        },
      },
      permission: { bash: "ask", edit: "ask" },
    },
  }),
  tools: {
    shell: (command) => call("bash", { command, description: "Run a command" }),
    read: (path) => call("read", { filePath: path }),
    write: (path, content) => call("write", { filePath: path, content }),
    edit: (path, before, after) => call("edit", { filePath: path, oldString: before, newString: after }),
    todos: (todos) =>
      call("todowrite", {
        todos: todos.map(({ content, status }, index) => ({ id: `${index + 1}`, content, status, priority: "medium" })),
      }),
    subagent: (prompt) => call("task", { description: "A task", prompt, subagent_type: "general" }),
    mcp: (server, tool, input) => call(`${server}_${tool}`, input),
  },
  otherModel: "scripted/two",
  lacks: {
    "tool.unknown": "A tool of its own takes the call, which completes by telling the model.",
    "error.auth": "A failure of the API has its text and no kind.",
    "error.invalid-request": "A failure of the API has its text and no kind.",
  },
  habits: { asksFor: ["shell", "write", "edit"], afterReject: "ends", tries: { auth: 1, request: 1, refusal: 1 } },
};
