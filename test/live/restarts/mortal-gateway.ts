import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import WebSocket from "ws";
import { type Client, connect } from "../../../src/client/index.js";
import { listProcesses } from "../../../src/process/process-table.js";
import type { Stage } from "../stage.js";
import { commandLine } from "./processes.js";

const MAIN = fileURLToPath(new URL("../../../dist/src/cli/main.js", import.meta.url));

/** `agentwire serve` in a process of its own: it may be killed, and comes back at the same address. */
export class MortalGateway {
  readonly db: string;
  readonly #stage: Stage;
  readonly #stateFolder: string;
  #child: ChildProcess | undefined;
  #port = "0";
  #restarting: Promise<void> = Promise.resolve();
  /** How often it was killed. */
  kills = 0;

  private constructor(stage: Stage) {
    this.#stage = stage;
    this.#stateFolder = join(stage.root, "state", "agentwire");
    this.db = join(stage.root, "sessions.db");
  }

  static async start(stage: Stage): Promise<MortalGateway> {
    const gateway = new MortalGateway(stage);
    await gateway.#serve();
    return gateway;
  }

  connect(): Promise<Client> {
    return connect({
      url: `http://127.0.0.1:${this.#port}`,
      token: readFileSync(join(this.#stateFolder, "token"), "utf8").trim(),
      WebSocket,
      reconnect: { minMs: 20, maxMs: 200 },
    });
  }

  /** Resolves when the gateway that was started last serves. */
  get restarted(): Promise<void> {
    return this.#restarting;
  }

  /** Kills it, with no chance to do anything, and starts the next one. */
  restart(): Promise<void> {
    this.#restarting = this.#restarting.then(async () => {
      this.kills += 1;
      await this.#end("SIGKILL");
      await this.#serve();
    });
    return this.#restarting;
  }

  /** The same, with the process that holds the agents killed before. */
  async restartWithoutHost(): Promise<void> {
    const hosts = this.#hosts();
    if (hosts.length === 0) throw new Error("no agent host runs");
    for (const pid of hosts) process.kill(pid, "SIGKILL");
    await this.restart();
  }

  /** Ends it in good order, and with it its agents. */
  async close(): Promise<void> {
    await this.#restarting.catch(() => {});
    await this.#end("SIGTERM");
  }

  async #serve(): Promise<void> {
    const { agent, env, root } = this.#stage;
    const own = ["--port", this.#port, "--db", this.db, "--log-level", "error"];
    const program = ["--program", `${agent.id}=${programOf(this.#stage)}`];
    const child = spawn(process.execPath, [MAIN, "serve", ...own, ...program], {
      cwd: root,
      env: { ...env, XDG_STATE_HOME: join(root, "state") },
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#child = child;
    for await (const chunk of child.stdout) {
      const port = /127\.0\.0\.1:(\d+)/.exec(String(chunk))?.[1];
      if (port === undefined) continue;
      this.#port = port;
      return;
    }
    throw new Error("the gateway did not start");
  }

  async #end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
  }

  /** It is known by its socket, which is in this story's own folder. */
  #hosts(): number[] {
    const socket = readdirSync(this.#stateFolder).find((name) => /^host-.*\.sock$/.test(name));
    if (socket === undefined) return [];
    const path = join(this.#stateFolder, socket);
    return listProcesses().flatMap(({ pid }) => (commandLine(pid).includes(path) ? [pid] : []));
  }
}

/** One path: what stands before an agent's own arguments goes into a script. */
function programOf({ installed, root }: Stage): string {
  const { path, args = [] } = installed;
  if (args.length === 0) return resolve(path);
  const script = join(root, "agent.sh");
  const words = [resolve(path), ...args].map((word) => `'${word}'`).join(" ");
  writeFileSync(script, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  return script;
}
