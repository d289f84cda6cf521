import {
  type LaunchOptions,
  LaunchRefused,
  type LaunchSpec,
  type ProgramSpec,
  type SpawnOptions,
} from "../contract.js";
import { MODES } from "./modes.js";

const NATIVE_PACKAGES = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];

/** The native binary of the platform package; the wrapper package needs a newer Node than this gateway. */
export const PROGRAM: ProgramSpec = {
  command: "claude",
  packages: Object.fromEntries([
    ...NATIVE_PACKAGES.map((platform) => [platform, { name: `@anthropic-ai/claude-code-${platform}`, file: "claude" }]),
    ["win32-x64", { name: "@anthropic-ai/claude-code-win32-x64", file: "claude.exe" }],
  ]),
  versionArgs: ["--version"],
};

/** Set by a Claude Code that runs the gateway; inherited, they make the child believe it is a subagent of it. */
const INHERITED = ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT", "CLAUDE_CODE_SESSION_ID"];

const TODO_TOOLS = ["TaskCreate", "TaskUpdate", "TaskList", "TaskGet", "TodoWrite"];
const WRITING_TOOLS = ["Bash", "Edit", "MultiEdit", "Write", "NotebookEdit"];

/**
 * `--verbose` is mandatory with stream-json, `--permission-prompt-tool stdio` is what turns asks into requests instead of
 * denials, and the mode is always named because its default depends on the account.
 */
export function launch(options: LaunchOptions): LaunchSpec {
  const mode = MODES[options.mode];
  if (mode.fidelity === "unsupported") {
    throw new LaunchRefused("mode", `Claude Code has no mode like "${options.mode}"; use one of ${supportedModes()}`);
  }
  refuseRootBypass(options, mode.native);
  return {
    args: [
      "-p",
      ...["--input-format", "stream-json", "--output-format", "stream-json"],
      ...["--verbose", "--include-partial-messages"],
      ...["--permission-prompt-tool", "stdio"],
      ...["--permission-mode", mode.native],
      // Without being named they do not exist for newer models.
      ...["--allowedTools", TODO_TOOLS.join(",")],
      ...(options.mode === "read-only" ? ["--disallowedTools", WRITING_TOOLS.join(",")] : []),
      ...(options.model === undefined ? [] : ["--model", options.model]),
      ...resumeArgs(options.spawn ?? {}),
      ...mcpArgs(options.spawn?.mcpServers),
    ],
    env: Object.fromEntries(INHERITED.map((name) => [name, undefined])),
  };
}

function resumeArgs({ resume, fork }: SpawnOptions): string[] {
  if (resume === undefined) return [];
  if (!fork) return ["--resume", resume];
  return ["--resume", resume, "--fork-session", ...(fork.at === undefined ? [] : ["--resume-session-at", fork.at])];
}

/** Strict: only the session's own servers, not those of the user's or the project's settings. */
function mcpArgs(servers: SpawnOptions["mcpServers"]): string[] {
  if (!servers || Object.keys(servers).length === 0) return [];
  return ["--mcp-config", JSON.stringify({ mcpServers: servers }), "--strict-mcp-config"];
}

/** As root the CLI prints one line on stderr and exits without any JSON: say it before. */
function refuseRootBypass(options: LaunchOptions, native: string): void {
  if (native !== "bypassPermissions" || options.uid !== 0 || options.env.IS_SANDBOX === "1") return;
  throw new LaunchRefused(
    "mode",
    `Claude Code refuses mode "${options.mode}" as root; run the gateway as another user, or set IS_SANDBOX=1 in a sandbox`,
  );
}

function supportedModes(): string {
  return Object.entries(MODES)
    .filter(([, mode]) => mode.fidelity !== "unsupported")
    .map(([name]) => name)
    .join(", ");
}
