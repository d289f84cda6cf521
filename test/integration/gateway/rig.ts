import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pino from "pino";
import { afterEach } from "vitest";
import type { EventEnvelope, Params, PendingBlock, Session, ToolPart, WireEvent } from "../../../schemas/index.js";
import { startPolicy } from "../../../src/policy/policy.js";
import { LocalAgentHost } from "../../../src/process/local-agent-host.js";
import { AgentPrograms, type Program } from "../../../src/session/agent-programs.js";
import { Gateway, type GatewayOptions } from "../../../src/session/gateway.js";
import { openStore } from "../../../src/store/open-store.js";
import type { Store } from "../../../src/store/store.js";
import { type Json, native } from "../../unit/adapters/claude/native.js";

export type Step =
  | { readonly out: Json }
  | { readonly raw: string }
  | { readonly stderr: string }
  | { readonly ask: Json; readonly allow?: readonly Step[]; readonly deny?: readonly Step[] }
  | { readonly interrupted: true }
  | { readonly silent: true }
  | { readonly kill: string }
  | { readonly exit: number };

export interface Script {
  readonly turns: readonly (readonly Step[])[];
  readonly onEnd?: readonly Step[];
  /** It confirms each change of its settings. */
  readonly confirms?: boolean;
  /** What the scripted Codex asks for. */
  readonly command?: string;
}

const AGENT = fileURLToPath(new URL("fixtures/scripted-agent.mjs", import.meta.url));
/** Long enough for a slow machine, short enough to name what never came. */
const PATIENCE_MS = 10_000;

const rigs: Rig[] = [];
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.dispose();
});

export interface RigOptions extends Partial<Pick<GatewayOptions, "maxLineBytes" | "roots" | "env" | "idleMs">> {
  /** The folder of an earlier rig whose gateway is gone: the database and the script are there. */
  readonly folder?: string;
  readonly program?: Program | "missing";
  /** The script of Node that plays the agent; it is given the place of `script.json`. */
  readonly agentProgram?: string;
  /** The agent of its sessions; Claude Code by default. */
  readonly agent?: string;
  readonly now?: () => number;
}

/** A gateway as the command line builds it, over a scripted agent. Everything that it tells is kept. */
export class Rig {
  readonly folder: string;
  readonly directory: string;
  readonly agent: string;
  readonly store: Store;
  readonly gateway: Gateway;
  readonly events: (EventEnvelope["event"] & { readonly heardAt: number })[] = [];
  /** What the gateway logged as a warning or worse. */
  readonly logged: Json[] = [];
  readonly #host = new LocalAgentHost({ bounds: { inputEndMs: 1000, terminateMs: 1000 } });
  readonly #stopPolicy: () => void;
  readonly #waiting = new Set<() => void>();

  constructor(script: Script, options: RigOptions = {}) {
    this.folder = options.folder ?? realpathSync(mkdtempSync(join(tmpdir(), "agentwire-gateway-")));
    this.directory = join(this.folder, "project");
    this.agent = options.agent ?? "claude";
    mkdirSync(this.directory, { recursive: true });
    writeFileSync(this.#path("script.json"), JSON.stringify({ ...script, log: this.#path("agent.log") }));
    const log = pino({ level: "warn" }, { write: (line: string) => void this.logged.push(JSON.parse(line)) });
    this.store = openStore({ path: this.#path("db"), onError: (error) => log.error({ error }, "the store failed") });
    this.store.subscribe((group) => this.#hear(group));
    const {
      agentProgram = AGENT,
      program = { command: process.execPath, args: [agentProgram, this.#path("script.json")] },
      now,
      idleMs,
      maxLineBytes,
      roots,
      env,
    } = options;
    this.gateway = new Gateway({
      store: this.store,
      host: this.#host,
      programs: new AgentPrograms(program === "missing" ? { env: {} } : { overrides: { [this.agent]: program } }),
      log,
      ...(now && { now }),
      ...(maxLineBytes && { maxLineBytes }),
      ...(roots && { roots }),
      ...(env && { env }),
      ...(idleMs !== undefined && { idleMs }),
    });
    this.#stopPolicy = startPolicy({ store: this.store, desk: this.gateway, log });
    rigs.push(this);
  }

  async create(params: Partial<Params<"session.create">> = {}): Promise<string> {
    const { session } = await this.gateway.handle("session.create", {
      agent: this.agent,
      directory: this.directory,
      ...params,
    });
    return session.id;
  }

  prompt(sessionID: string, text: string, params: Partial<Params<"session.prompt">> = {}) {
    return this.gateway.handle("session.prompt", { sessionID, parts: [{ type: "text", text }], ...params });
  }

  reply(blockID: string, reply: Omit<Params<"block.reply">, "blockID">) {
    return this.gateway.handle("block.reply", { blockID, ...reply });
  }

  session(sessionID: string): Session {
    const session = this.store.session(sessionID);
    if (!session) throw new Error(`there is no session ${sessionID}`);
    return session;
  }

  /** Resolves when something holds; it is looked at after every group of events. */
  async until<T>(what: string, look: () => T | undefined | false): Promise<T> {
    const now = look();
    if (now) return now;
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void) => {
        clearTimeout(timer);
        this.#waiting.delete(onEvents);
        finish();
      };
      const onEvents = () => {
        const value = look();
        if (value) settle(() => resolve(value));
      };
      const timer = setTimeout(
        () =>
          settle(() => reject(new Error(`never: ${what}; the events were ${JSON.stringify(this.events.slice(-5))}`))),
        PATIENCE_MS,
      );
      this.#waiting.add(onEvents);
    });
  }

  idle(sessionID: string): Promise<unknown> {
    return this.until("the session is idle", () => this.session(sessionID).status.type === "idle");
  }

  /** The blocks that wait, once there are as many. */
  blocks(sessionID: string, count = 1): Promise<PendingBlock[]> {
    return this.until(`${count} blocks wait`, () => {
      const blocks = this.gateway.pendingBlocks(sessionID);
      return blocks.length === count && blocks;
    });
  }

  async block(sessionID: string): Promise<PendingBlock["block"]> {
    const [pending] = await this.blocks(sessionID);
    if (!pending) throw new Error("nothing waits");
    return pending.block;
  }

  tool(sessionID: string, callID: string): ToolPart {
    const parts = this.store.messages(sessionID, { limit: 100 }).flatMap((message) => message.parts);
    const part = parts.find((candidate) => candidate.type === "tool" && candidate.callID === callID);
    if (part?.type !== "tool") throw new Error(`there is no call ${callID}`);
    return part;
  }

  texts(sessionID: string): string[] {
    const messages = this.store.messages(sessionID, { limit: 100 }).filter(({ info }) => info.role === "assistant");
    return messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])));
  }

  typed<T extends WireEvent["type"]>(type: T) {
    return this.events.filter((event): event is Extract<Rig["events"][number], { type: T }> => event.type === type);
  }

  /** What every agent process was started with, in order. */
  get starts(): { readonly args: readonly string[]; readonly pid: number }[] {
    return this.#agentLog().flatMap((entry) =>
      "start" in entry ? [{ args: entry.start as string[], pid: Number(entry.pid) }] : [],
    );
  }

  /** Every line the agents were sent, in order. */
  get sent(): Json[] {
    return this.#agentLog().flatMap((entry) => ("in" in entry ? [entry.in as Json] : []));
  }

  get prompts(): unknown[] {
    return this.sent.filter(({ type }) => type === "user").map(({ message }) => (message as Json).content);
  }

  /** Ends as a gateway that is killed does: its agents are dead, and nothing more is written. */
  async crash(): Promise<void> {
    this.#stopPolicy();
    this.store.flush();
    const frozen = this.store.write;
    this.store.write = () => {};
    for (const { pid } of this.starts) killQuietly(pid);
    await this.#host.close();
    this.store.write = frozen;
    this.store.close();
    this.#closed = true;
  }

  #closed = false;

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.gateway.close();
    this.#stopPolicy();
    this.store.close();
  }

  async dispose(): Promise<void> {
    await this.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #hear(group: readonly EventEnvelope[]): void {
    const heardAt = performance.now();
    this.events.push(...group.map(({ event }) => ({ ...event, heardAt })));
    // After the step in whose middle events are heard: then the gateway has seen them too.
    queueMicrotask(() => {
      for (const look of [...this.#waiting]) look();
    });
  }

  #path(name: string): string {
    return join(this.folder, name);
  }

  #agentLog(): Json[] {
    const path = this.#path("agent.log");
    if (!existsSync(path)) return [];
    return readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}

/** Steps of a turn. */
export const out = (...lines: readonly Json[]): Step[] => lines.map((line) => ({ out: line }));
export const init: Step = { out: native.init({ session_id: "$session" }) };
export const done: Step = { out: native.result({ user_message_uuid: "$uuid" }) };

let responses = 0;
const responseID = () => `msg_${++responses}`;

export const say = (text: string): Step => ({
  out: native.whole(responseID(), { type: "text", text }, { stop_reason: "end_turn" }),
});
export const answer = (text: string): Step[] => [init, say(text), done];

/** A call that is asked for; what follows depends on the answer. */
export function askedCall(
  callID: string,
  command: string,
  then: { allow?: Step[]; deny?: Step[] } = {},
  suggestions: unknown[] = [],
): Step[] {
  const input = { command };
  const request = native.ask(`ask_${callID}`, callID, "Bash", input, { permission_suggestions: suggestions });
  const denied = native.toolResult(callID, "denied", { is_error: true });
  return [
    { out: native.whole(responseID(), native.call(callID, "Bash", input), { stop_reason: "tool_use" }) },
    {
      ask: request,
      allow: then.allow ?? out(native.toolResult(callID, `${command} ran`)),
      deny: then.deny ?? out(denied),
    },
  ];
}
