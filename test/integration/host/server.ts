import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, vi } from "vitest";
import { findProcess, type ProcessRow } from "../../../src/process/process-table.js";
import type { Json } from "../../unit/adapters/claude/native.js";
import { AGENTWIRE, agentwire, type Finished } from "../cli/agentwire.js";
import { expectGone, isRunning } from "../process/harness.js";
import { WirePeer } from "../server/wire-peer.js";

const AGENT = fileURLToPath(new URL("fixtures/long-turn-agent.mjs", import.meta.url));

const places: Place[] = [];
afterEach(async () => {
  for (const place of places.splice(0)) await place.dispose();
});

export interface Story {
  readonly rounds: number;
  /** Deltas of each round's text. */
  readonly deltas: number;
}

/** A gateway that runs. */
export interface Served {
  readonly child: ChildProcess;
  readonly url: string;
}

/** A gateway in the background. */
export interface Daemon {
  readonly pid: number;
  readonly url: string;
}

/** A database, a project and an agent, and the gateways that serve them one after the other. */
export class Place {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-host-")));
  readonly directory = join(this.folder, "project");
  readonly #children: ChildProcess[] = [];
  readonly #daemons: ProcessRow[] = [];
  readonly #peers: WirePeer[] = [];

  constructor(readonly story: Story) {
    mkdirSync(this.directory);
    writeFileSync(this.#path("story.json"), JSON.stringify({ ...story, log: this.#path("agent.log") }));
    const program = `#!/bin/sh\nexec "${process.execPath}" "${AGENT}" "${this.#path("story.json")}" "$@"\n`;
    writeFileSync(this.#path("claude"), program, { mode: 0o755 });
    places.push(this);
  }

  /** Starts a gateway; resolves when it listens. */
  async serve(...options: readonly string[]): Promise<Served> {
    const [command, ...args] = AGENTWIRE;
    const child = spawn(command, [...args, "serve", ...this.#options, ...options], {
      cwd: this.folder,
      env: { ...process.env, ...this.env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#children.push(child);
    for await (const chunk of child.stdout) {
      const address = /http:\/\/[\d.:]+/.exec(String(chunk))?.[0];
      if (address) return { child, url: address.replace("http", "ws") };
    }
    await ended(child);
    throw new Error(`the gateway did not start: exit ${child.exitCode}`);
  }

  /** Runs another command of the same user, by default for the same database. */
  run(...args: readonly string[]): Promise<Finished> {
    return agentwire(args, { cwd: this.folder, env: this.env });
  }

  /** Runs `serve --daemon`; what it starts is ended with the place. */
  async daemon(...options: readonly string[]): Promise<Finished & Daemon> {
    const finished = await this.run("serve", "--daemon", ...this.#options, ...options);
    const pid = Number(/^process (\d+)/m.exec(finished.out)?.[1] ?? 0);
    const started = findProcess(pid);
    if (started) this.#daemons.push(started);
    return { ...finished, pid, url: (/http:\/\/[\d.:]+/.exec(finished.out)?.[0] ?? "").replace("http", "ws") };
  }

  get database(): string {
    return this.#path("db");
  }

  get stateFolder(): string {
    return this.#path("agentwire");
  }

  /** There once a gateway was started. */
  get token(): string {
    return readFileSync(this.#path("agentwire", "token"), "utf8").trim();
  }

  /** By what commands find its gateways and their token. */
  get env(): { readonly XDG_STATE_HOME: string } {
    return { XDG_STATE_HOME: this.folder };
  }

  get #options(): string[] {
    const program = `claude=${this.#path("claude")}`;
    return ["--port", "0", "--db", this.database, "--program", program, "--log-level", "error"];
  }

  async connect({ url }: Pick<Served, "url">): Promise<WirePeer> {
    const peer = await WirePeer.connect(url, { headers: { authorization: `Bearer ${this.token}` } });
    this.#peers.push(peer);
    await peer.request("initialize", "initialize");
    return peer;
  }

  /** Puts a folder where the host has its socket, so that no other one can be made; returns how to take it away. */
  blockSocket(): () => void {
    const folder = this.#path("agentwire");
    const socket = join(folder, readdirSync(folder).find((name) => /^host-.*\.sock$/.test(name)) ?? "");
    rmSync(socket);
    mkdirSync(socket);
    return () => rmdirSync(socket);
  }

  /** What the agents were started with and sent, in order. */
  get agentLog(): Json[] {
    const path = this.#path("agent.log");
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, "utf8").split("\n");
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Json);
  }

  get agentPids(): number[] {
    return this.agentLog.flatMap(({ pid }) => (typeof pid === "number" ? [pid] : []));
  }

  /** What it says in all its rounds. */
  get texts(): string[] {
    const { rounds, deltas } = this.story;
    return Array.from({ length: rounds }, (_, round) =>
      Array.from({ length: deltas }, (_, i) => `${round + 1}.${i} `).join(""),
    );
  }

  #path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  async dispose(): Promise<void> {
    for (const peer of this.#peers) peer.socket.terminate();
    for (const child of this.#children) {
      // In good order, so that the host goes too.
      child.kill("SIGTERM");
      await ended(child);
    }
    const daemons = this.#daemons.filter(({ pid, start }) => findProcess(pid)?.start === start).map(({ pid }) => pid);
    for (const pid of daemons) process.kill(pid, "SIGTERM");
    await expectGone(...daemons);
    await vi.waitFor(() => expect(this.agentPids.filter(isRunning)).toEqual([]), { timeout: 10_000, interval: 20 });
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Resolves with how it ended. */
export async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}

export async function killGateway({ child }: Served): Promise<void> {
  child.kill("SIGKILL");
  await ended(child);
}

/** The process that holds the agents: their parent. */
export function hostPid(agentPid: number): number {
  const stat = readFileSync(`/proc/${agentPid}/stat`, "latin1");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}
