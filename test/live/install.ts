import { constants } from "node:fs";
import { access, mkdir, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import spawn from "cross-spawn";
import { ADAPTERS } from "../../adapters/index.js";

export interface InstallOptions {
  /** A version such as `2.1.332`, or `latest`. */
  readonly version: string;
  /** The git-ignored folder that holds one folder per agent and version. */
  readonly agentsDir: string;
}

export interface InstalledAgent {
  /** The program to start. */
  readonly path: string;
  /** What stands before the adapter's arguments, such as the script that the program runs. */
  readonly args?: readonly string[];
  /** Folders of further programs that it starts by name. */
  readonly searchPath?: readonly string[];
  /** What was installed; for `latest` the version that it stands for today. */
  readonly version: string;
}

/** Runs the agents that are scripts. */
const NODE_VERSION = "24.22.3";

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
    specs: [`${name}@${version}`],
    version,
  });
}

/** Installs the native build of Codex: versions of one package that are named for their platform. */
export async function installCodex({ version, agentsDir }: InstallOptions): Promise<InstalledAgent> {
  const platform = `${process.platform}-${process.arch}`;
  const { name, file } = programOf("codex");
  const exact = version === "latest" ? await npmView("@openai/codex", "version") : version;
  const specs = [`${name}@npm:@openai/codex@${exact}-${platform}`];
  const installed = await install({ folder: join(agentsDir, `codex@${version}`), name, file, specs, version });
  return { ...installed, version: installed.version.replace(`-${platform}`, "") };
}

/** An agent that is an npm package; its adapter knows which. */
export interface AcpPackage {
  readonly id: string;
  /** The folder below the installed agents, without its version. */
  readonly folder: string;
  /** What is installed beside it, each with its version: what it starts, or what its range would let move. */
  readonly beside?: readonly string[];
}

/** Installs an ACP agent, and where it is a script the Node that runs it, for several want a newer one than this. */
export async function installAcp(agent: AcpPackage, { version, agentsDir }: InstallOptions): Promise<InstalledAgent> {
  const { name, file } = programOf(agent.id);
  const folder = join(agentsDir, `${agent.folder}@${version}`);
  const specs = [`${name}@${version}`, ...(agent.beside ?? [])];
  const installed = await install({ folder, name, file, specs, version });
  if (!/\.m?js$/.test(file)) return installed;
  const node = await installNode(agentsDir);
  const searchPath = [dirname(node.path), resolve(folder, "node_modules", ".bin")];
  return { path: node.path, args: [installed.path], searchPath, version: installed.version };
}

/** A Node beside the one that runs this, for programs that want a newer one. */
export function installNode(agentsDir: string): Promise<InstalledAgent> {
  const windows = process.platform === "win32";
  const name = `node-${windows ? "win" : process.platform}-${process.arch}`;
  const specs = [`${name}@${NODE_VERSION}`];
  const file = windows ? "bin/node.exe" : "bin/node";
  return install({ folder: join(agentsDir, `node@${NODE_VERSION}`), name, file, specs, version: NODE_VERSION });
}

/** The package that holds an agent's program on this platform. */
function programOf(id: string): { readonly name: string; readonly file: string } {
  const platform = `${process.platform}-${process.arch}`;
  const program = ADAPTERS[id]?.program.packages[platform];
  if (!program) throw new Error(`there is no ${id} for ${platform}`);
  return program;
}

/** Installs the native build of OpenCode: a package for each platform. */
export function installOpencode({ version, agentsDir }: InstallOptions): Promise<InstalledAgent> {
  const { name, file } = programOf("opencode");
  return install({
    folder: join(agentsDir, `opencode@${version}`),
    name,
    file,
    specs: [`${name}@${version}`],
    version,
  });
}

interface PackageToInstall {
  readonly folder: string;
  /** Of the specs, the package that has the program, and the program's place in it. */
  readonly name: string;
  readonly file: string;
  readonly specs: readonly string[];
  readonly version: string;
}

/** A pinned version is installed once; `latest` is looked up each time, for it moves. */
export async function install({ folder, name, file, specs, version }: PackageToInstall): Promise<InstalledAgent> {
  const prefix = resolve(folder);
  const present = await findInstalled(prefix, name, file);
  if (present !== undefined && version !== "latest") return present;

  await mkdir(prefix, { recursive: true });
  await npmInstall(prefix, specs);
  const installed = await findInstalled(prefix, name, file);
  if (installed === undefined) throw new Error(`npm installed ${specs.join(" ")}, but its program is not in ${prefix}`);
  return installed;
}

export function claudePackage(platform: string, arch: string, musl: boolean): string {
  return `@anthropic-ai/claude-code-${platform}-${arch}${musl ? "-musl" : ""}`;
}

async function findInstalled(prefix: string, name: string, file: string): Promise<InstalledAgent | undefined> {
  const folder = join(prefix, "node_modules", name);
  const path = join(folder, file);
  try {
    await access(path, constants.R_OK);
    const manifest: unknown = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    return { path, version: String((manifest as { readonly version?: unknown }).version) };
  } catch {
    return undefined;
  }
}

/** The package's engine range may exclude this Node, which never runs it. */
function npmInstall(prefix: string, specs: readonly string[]): Promise<void> {
  const quiet = ["--no-save", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"];
  const args = ["install", "--prefix", prefix, "--ignore-scripts", "--engine-strict=false", ...quiet, ...specs];
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
