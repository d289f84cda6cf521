import { constants } from "node:fs";
import { access, mkdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import spawn from "cross-spawn";
import { ADAPTERS } from "../../adapters/index.js";

export interface InstallOptions {
  /** A version such as `2.1.332`, or `latest`. */
  readonly version: string;
  /** The git-ignored folder that holds one folder per agent and version. */
  readonly agentsDir: string;
}

export interface InstalledAgent {
  /** The native program. */
  readonly path: string;
  /** What was installed; for `latest` the version that it stands for today. */
  readonly version: string;
}

/**
 * Installs the native build of Claude Code beside others, without the wrapper package: its postinstall and its engine
 * range are not wanted.
 */
export function installClaude({ version, agentsDir }: InstallOptions): Promise<InstalledAgent> {
  const name = claudePackage(process.platform, process.arch, usesMusl());
  const file = process.platform === "win32" ? "claude.exe" : "claude";
  return install({
    folder: join(agentsDir, `claude-code@${version}`),
    name,
    file,
    spec: `${name}@${version}`,
    version,
  });
}

/** Installs the native build of Codex: versions of one package that are named for their platform. */
export async function installCodex({ version, agentsDir }: InstallOptions): Promise<InstalledAgent> {
  const platform = `${process.platform}-${process.arch}`;
  const { name, file } = programOf("codex");
  const exact = version === "latest" ? await npmView("@openai/codex", "version") : version;
  const spec = `${name}@npm:@openai/codex@${exact}-${platform}`;
  const installed = await install({ folder: join(agentsDir, `codex@${version}`), name, file, spec, version });
  return { ...installed, version: installed.version.replace(`-${platform}`, "") };
}

/** The native program of an adapter for this platform. */
function programOf(agent: string): { readonly name: string; readonly file: string } {
  const platform = `${process.platform}-${process.arch}`;
  const program = ADAPTERS[agent]?.program.packages[platform];
  if (!program) throw new Error(`there is no ${agent} for ${platform}`);
  return program;
}

/** Installs the native build of OpenCode: a package for each platform. */
export function installOpencode({ version, agentsDir }: InstallOptions): Promise<InstalledAgent> {
  const { name, file } = programOf("opencode");
  return install({ folder: join(agentsDir, `opencode@${version}`), name, file, spec: `${name}@${version}`, version });
}

interface PackageToInstall {
  readonly folder: string;
  readonly name: string;
  readonly file: string;
  readonly spec: string;
  readonly version: string;
}

/** A pinned version is installed once; `latest` is looked up each time, for it moves. */
async function install({ folder, name, file, spec, version }: PackageToInstall): Promise<InstalledAgent> {
  const prefix = resolve(folder);
  const present = await findInstalled(prefix, name, file);
  if (present !== undefined && version !== "latest") return present;

  await mkdir(prefix, { recursive: true });
  await npmInstall(prefix, spec);
  const installed = await findInstalled(prefix, name, file);
  if (installed === undefined) throw new Error(`npm installed ${spec}, but its program is not in ${prefix}`);
  return installed;
}

export function claudePackage(platform: string, arch: string, musl: boolean): string {
  return `@anthropic-ai/claude-code-${platform}-${arch}${musl ? "-musl" : ""}`;
}

async function findInstalled(prefix: string, name: string, file: string): Promise<InstalledAgent | undefined> {
  const folder = join(prefix, "node_modules", name);
  const path = join(folder, file);
  try {
    await access(path, constants.X_OK);
    const manifest: unknown = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    return { path, version: String((manifest as { readonly version?: unknown }).version) };
  } catch {
    return undefined;
  }
}

/** `--force` because the package's engine range may exclude this Node, which never runs it. */
function npmInstall(prefix: string, spec: string): Promise<void> {
  const quiet = ["--no-save", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"];
  const args = ["install", "--prefix", prefix, "--ignore-scripts", "--force", ...quiet, spec];
  return new Promise((done, fail) => {
    // npm's talk goes to stderr: stdout belongs to the report of the run.
    const npm = spawn("npm", args, { stdio: ["ignore", process.stderr, process.stderr] });
    npm.on("error", fail);
    npm.on("close", (code) => {
      if (code === 0) done();
      else fail(new Error(`npm ${args.join(" ")} ended with ${code}`));
    });
  });
}

function npmView(name: string, field: string): Promise<string> {
  return new Promise((done, fail) => {
    const npm = spawn("npm", ["view", name, field], { stdio: ["ignore", "pipe", process.stderr] });
    let answer = "";
    npm.stdout?.on("data", (chunk: Buffer) => {
      answer += chunk.toString("utf8");
    });
    npm.on("error", fail);
    npm.on("close", (code) => {
      if (code === 0) done(answer.trim());
      else fail(new Error(`npm view ${name} ended with ${code}`));
    });
  });
}

function usesMusl(): boolean {
  if (process.platform !== "linux") return false;
  const report = process.report?.getReport() as
    | { readonly header?: { readonly glibcVersionRuntime?: string } }
    | undefined;
  return report?.header?.glibcVersionRuntime === undefined;
}
