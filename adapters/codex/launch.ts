import type { LaunchOptions, LaunchSpec, ProgramSpec } from "../contract.js";

const TRIPLES: Record<string, string> = {
  "linux-x64": "x86_64-unknown-linux-musl",
  "linux-arm64": "aarch64-unknown-linux-musl",
  "darwin-x64": "x86_64-apple-darwin",
  "darwin-arm64": "aarch64-apple-darwin",
  "win32-x64": "x86_64-pc-windows-msvc",
  "win32-arm64": "aarch64-pc-windows-msvc",
};

/**
 * The native binary of the platform package. The `codex` that npm puts on PATH is a script which, on Node 20 and on
 * Windows, starts the binary as a child: to kill it is not to kill the server.
 */
export const PROGRAM: ProgramSpec = {
  command: "codex",
  packages: Object.fromEntries(
    Object.entries(TRIPLES).map(([platform, triple]) => [
      platform,
      {
        name: `@openai/codex-${platform}`,
        file: `vendor/${triple}/bin/${platform.startsWith("win32") ? "codex.exe" : "codex"}`,
      },
    ]),
  ),
  versionArgs: ["--version"],
};

/** Set for the commands of a Codex that runs the gateway; inherited, they would change what the child believes of itself. */
const INHERITED = ["CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID", "CODEX_CI"];

/** Everything else is said over the protocol: policy and model with each turn, the thread to resume in a request. */
export function launch(_options: LaunchOptions): LaunchSpec {
  return { args: ["app-server"], env: Object.fromEntries(INHERITED.map((name) => [name, undefined])) };
}
