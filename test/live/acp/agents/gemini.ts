import { readdir, rename } from "node:fs/promises";
import { basename, join } from "node:path";
import type { ScenarioDirs } from "../../scenario.js";
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
    mcp: (server, tool, input) => call(`mcp_${server}_${tool}`, input),
  },
  lacks: {
    "tool.output": "The output of a command that came to its end is told to the model alone.",
    "tool.exit-code": "That a command failed is told to the model alone.",
    "tool.unknown": "A call of a tool that does not exist is told to the model alone.",
    "turn.finish-refusal": "A refusal ends the turn as any other answer does.",
  },
  habits: {
    asksFor: ["shell", "write", "edit", "mcp"],
    afterReject: "goes-on",
    tries: { auth: 1, request: 1, refusal: 1 },
  },
  beforeResume: makeSessionsOlder,
};

/**
 * A session's file is named for the minute in which a process opened it. To load it in the same minute writes the beginning
 * of an empty session into that very file, which is then said to hold none.
 */
async function makeSessionsOlder({ home, cwd }: ScenarioDirs): Promise<void> {
  const folder = join(home, ".gemini", "tmp", basename(cwd), "chats");
  for (const file of await readdir(folder)) {
    const older = file.replace(/T\d\d-\d\d-/, "T00-00-");
    await rename(join(folder, file), join(folder, older));
  }
}
