import { randomUUID } from "node:crypto";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import {
  type AgentHost,
  type AgentListener,
  type AgentProcess,
  type ProcessKey,
  SPAWN_EFFECT,
  type SpawnSpec,
} from "../../../src/process/agent-host.js";
import { AgentPrograms } from "../../../src/session/agent-programs.js";
import { NativeLocks } from "../../../src/session/native-locks.js";
import type { SessionRegistryOptions } from "../../../src/session/session-registry.js";
import { openStore } from "../../../src/store/open-store.js";
import { type Json, native } from "../adapters/claude/native.js";

/** A process that is played by hand. */
class PlayedAgent implements AgentProcess {
  readonly pid = undefined;
  readonly sent: Json[] = [];
  readonly stops: string[] = [];
  readonly exited: Promise<void>;
  #seq = 0;
  #gone = false;
  #resolve: () => void = () => undefined;

  constructor(
    readonly epoch: number,
    readonly spec: SpawnSpec,
    readonly listener: AgentListener,
    readonly lingers: boolean,
  ) {
    this.exited = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  send(frame: unknown, effect?: number): void {
    this.sent.push(frame as Json);
    if (effect !== undefined) this.listener.onDone?.(effect);
  }

  stop(how: "end" | "kill", effect?: number): void {
    this.stops.push(how);
    if (effect !== undefined) this.listener.onDone?.(effect);
    if (!this.lingers) this.exit();
  }

  exit(code: number | null = 0, signal: string | null = null): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#tell({ kind: "exit", code, signal, stderr: "" });
    this.#resolve();
  }

  /** Says these lines, and resolves when they are taken. */
  async say(...frames: Json[]): Promise<void> {
    for (const frame of frames) this.#tell({ kind: "frame", frame });
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Takes its prompt in its conversation with this id, and answers. */
  answer(nativeID: string, text = "done"): Promise<void> {
    const uuid = String(this.sent.findLast(({ type }) => type === "user")?.uuid);
    const line = native.whole(`api_${uuid}`, { type: "text", text }, { stop_reason: "end_turn" });
    const result = native.result({ user_message_uuid: uuid });
    return this.say(
      native.init({ session_id: nativeID, permissionMode: null }),
      { ...line, uuid: `line_${text}` },
      result,
    );
  }

  #tell(event: Json): void {
    this.listener.onEvent({ epoch: this.epoch, seq: ++this.#seq, at: Date.now(), ...event } as never);
  }
}

export class PlayedHost implements AgentHost {
  readonly agents: PlayedAgent[] = [];
  readonly id = `host ${randomUUID()}`;
  readonly survivors = [];
  closed = false;
  /** Whether those that are started from now on go on when they are told to end, until they `exit`. */
  lingers = false;

  spawn(spec: SpawnSpec, { epoch }: ProcessKey, listener: AgentListener): AgentProcess {
    const agent = new PlayedAgent(epoch, spec, listener, this.lingers);
    this.agents.push(agent);
    listener.onDone?.(SPAWN_EFFECT);
    return agent;
  }

  attach(): undefined {
    return undefined;
  }

  acknowledge(): void {}

  leave(): void {}

  async close(): Promise<void> {
    this.closed = true;
  }
}

/** What a gateway is made of, with a database in memory and processes that are played by hand. */
export class Bench {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-bench-")));
  readonly store = openStore({ path: ":memory:" });
  readonly host = new PlayedHost();
  readonly options: SessionRegistryOptions = {
    store: this.store,
    host: this.host,
    programs: new AgentPrograms({ overrides: { claude: { command: "/bin/claude", args: ["first"] } } }),
    log: pino({ level: "silent" }),
    locks: new NativeLocks(join(this.folder, "locks")),
  };

  /** The process that was started last. */
  get agent(): PlayedAgent {
    const agent = this.host.agents.at(-1);
    if (!agent) throw new Error("nothing was started");
    return agent;
  }

  dispose(): void {
    this.store.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
