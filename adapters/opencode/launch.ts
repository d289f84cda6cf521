import { type LaunchOptions, LaunchRefused, type LaunchSpec, type ProgramSpec } from "../contract.js";
import { MODES } from "./modes.js";

/** The native binary: the `opencode` that npm puts on PATH is a script which starts it as a child. */
export const PROGRAM: ProgramSpec = {
  command: "opencode",
  packages: Object.fromEntries(
    ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win32-x64"].map((platform) => [
      platform,
      {
        name: `opencode-${platform.replace("win32", "windows")}`,
        file: `bin/${platform.startsWith("win32") ? "opencode.exe" : "opencode"}`,
      },
    ]),
  ),
  versionArgs: ["--version"],
};

/** Set for the commands of an OpenCode that runs the gateway; inherited, they would change what the child believes of itself. */
const INHERITED = ["OPENCODE", "OPENCODE_PID", "OPENCODE_SERVER_USERNAME", "OPENCODE_CLIENT"];

/**
 * A server for this session alone, in the session's directory. The mode is part of its configuration, since that alone
 * holds for subagents; everything else is said over the protocol.
 */
export function launch(options: LaunchOptions): LaunchSpec {
  const { fidelity, config } = MODES[options.mode];
  if (fidelity === "unsupported") throw new LaunchRefused("mode", `OpenCode has no mode like "${options.mode}"`);
  if (options.model !== undefined && !MODEL.test(options.model)) throw new LaunchRefused("model", WRONG_MODEL);
  return {
    args: ["serve", "--hostname", "127.0.0.1", "--port", "0"],
    env: {
      ...Object.fromEntries(INHERITED.map((name) => [name, undefined])),
      OPENCODE_PERMISSION: JSON.stringify({ ...userPermission(options.env.OPENCODE_PERMISSION), ...config }),
      // Otherwise only its own clients have the tool for questions.
      OPENCODE_ENABLE_QUESTION_TOOL: "1",
      // It would replace the program while the session runs.
      OPENCODE_DISABLE_AUTOUPDATE: "1",
    },
    http: { events: "/event", user: "opencode", passwordVariable: "OPENCODE_SERVER_PASSWORD" },
  };
}

const MODEL = /^[^/]+\/.+$/;
const WRONG_MODEL = 'a model of OpenCode is named with its provider, such as "anthropic/claude-sonnet-5"';

/** The user's own variable of that name is kept; ours stands behind it. */
function userPermission(variable: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(variable ?? "{}");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
