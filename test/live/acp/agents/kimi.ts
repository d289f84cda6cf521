import { readdir, readFile, watch } from "node:fs/promises";
import { join } from "node:path";
import type { ScenarioDirs } from "../../scenario.js";
import { type AcpAgent, askQuestion, call } from "../acp-agent.js";

export const KIMI_CODE: AcpAgent = {
  id: "acp-kimi",
  folder: "kimi-code",
  api: "chat",
  // What a turn has used is told behind its end, and may come after that of the story.
  unsteady: ["contextTokens", "contextWindow"],
  env: () => ({ KIMI_CODE_NO_AUTO_UPDATE: "1", KIMI_CLI_NO_AUTO_UPDATE: "1" }),
  files: (modelUrl) => ({
    ".kimi-code/config.toml": configOf(modelUrl),
    ".kimi-code/tui.toml": "auto_update = false\n",
  }),
  tools: {
    shell: (command) => call("Bash", { command, description: "Run a command" }),
    read: (path) => call("Read", { path }),
    write: (path, content) => call("Write", { path, content }),
    edit: (path, before, after) => call("Edit", { path, old_string: before, new_string: after }),
    todos: (todos) =>
      call("TodoList", {
        todos: todos.map(({ content, status }) => ({
          title: content,
          status: status === "completed" ? "done" : status,
        })),
      }),
    question: (question, options) => askQuestion("AskUserQuestion", question, options),
    subagent: (prompt) => call("Agent", { description: "A task", prompt, subagent_type: "coder" }),
    mcp: (server, tool, input) => call(`mcp__${server}__${tool}`, input),
  },
  otherModel: "two",
  written,
  lacks: {
    "error.invalid-request": "The turn ends without a word, which is told as a failure without a reason.",
    "usage.step": "It tells how full its context is, and nothing of a response.",
    "turn.finish-refusal": "A refusal ends the turn as any other answer does.",

    "diff.edit": "Files of the project are changed unasked.",
    "diff.new-file": "Files of the project are written unasked.",
    "question.custom": "An answer that is none of the options counts as none.",
  },
  habits: {
    asksFor: ["shell", "shell-in-subagent", "mcp"],
    afterReject: "goes-on",
    tries: { auth: 1, request: 1, refusal: 1 },
  },
};

/** The watch begins before the look, so that no moment is missed. */
async function written({ home }: ScenarioDirs, words: string): Promise<void> {
  const folder = join(home, ".kimi-code", "sessions");
  const stop = new AbortController();
  const changes = watch(folder, { recursive: true, signal: stop.signal })[Symbol.asyncIterator]();
  try {
    while (!(await holds(folder, words))) await changes.next();
  } finally {
    stop.abort();
  }
}

async function holds(folder: string, words: string): Promise<boolean> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith("wire.jsonl"));
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  return texts.some((text) => text.includes(words));
}

function configOf(modelUrl: string): string {
  return `default_model = "one"
default_permission_mode = "manual"
telemetry = false
[providers.scripted]
type = "openai"
base_url = "${modelUrl}/v1"
api_key = "test-key"
[models.one]
provider = "scripted"
model = "one"
max_context_size = 100000
capabilities = ["thinking", "image_in", "tool_use"]
[models.two]
provider = "scripted"
model = "two"
max_context_size = 100000
capabilities = ["thinking", "image_in", "tool_use"]
`;
}
