import { type AcpAgent, askQuestion, call } from "../acp-agent.js";

export const CLAUDE_ACP: AcpAgent = {
  id: "acp-claude",
  folder: "claude-agent-acp",
  api: "messages",
  // An agent that is ended may or may not still write down what its session has cost.
  unsteady: ["cost"],
  env: (_dirs, modelUrl) => ({
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: "test-key",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_RETRIES: "1",
    // Without this the tools of MCP servers are found by a search, not listed.
    ENABLE_TOOL_SEARCH: "false",
    // A side call behind each turn that looks like one of the conversation.
    CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: "false",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    IS_SANDBOX: "1",
  }),
  // The default mode of the adapter has a model decide what is allowed.
  files: () => ({
    ".claude/settings.json": { permissions: { defaultMode: "default" } },
    ".claude.json": { hasCompletedOnboarding: true },
  }),
  tools: {
    shell: (command) => call("Bash", { command, description: "Run a command" }),
    read: (path) => call("Read", { file_path: path }),
    write: (path, content) => call("Write", { file_path: path, content }),
    edit: (path, before, after) => call("Edit", { file_path: path, old_string: before, new_string: after }),
    question: (question, options) => askQuestion("AskUserQuestion", question, options, { multiSelect: false }),
    subagent: (prompt) =>
      call("Agent", { description: "A task", prompt, subagent_type: "general-purpose", run_in_background: false }),
    mcp: (server, tool, input) => call(`mcp__${server}__${tool}`, input),
  },
  lacks: {},
  habits: {
    asksFor: ["shell", "write", "edit", "shell-in-subagent", "mcp"],
    afterReject: "goes-on",
    tries: { auth: 2, request: 3, refusal: 2 },
  },
};
