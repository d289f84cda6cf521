import type { AgentHost, AgentListener, AgentProcess, ProcessKey, SpawnSpec } from "../process/agent-host.js";
import { buildEnvironment, type Variables } from "../process/environment.js";
import { type Connection, connectToHost, type HostAddress } from "./connect.js";
import { type FromHost, nameOf } from "./messages.js";
import { RemoteProcess } from "./remote-process.js";

export interface RemoteAgentHostOptions extends HostAddress {
  /** A gateway that is connected shall leave. */
  readonly takeOver: boolean;
  /** Another gateway takes over: this one must close its database and go. */
  readonly onReplaced: () => void;
  readonly now?: () => number;
  readonly env?: Variables;
}

/** Agents that are children of the agent host, a process that outlives this one. */
export class RemoteAgentHost implements AgentHost {
  readonly #options: RemoteAgentHostOptions;
  readonly #processes = new Map<string, RemoteProcess>();
  readonly survivors: readonly ProcessKey[];
  #id: string;
  readonly #survivorPids: ReadonlyMap<string, number | null>;
  /** A promise while a new host is being started; undefined when that failed. */
  #connection: Connection | Promise<Connection | undefined> | undefined;
  #hasLeft = false;

  private constructor(options: RemoteAgentHostOptions, connection: Connection) {
    this.#options = options;
    this.#connection = connection;
    this.#id = connection.id;
    this.survivors = connection.processes.map(({ key }) => key);
    this.#survivorPids = new Map(connection.processes.map(({ key, pid }) => [nameOf(key), pid]));
    this.#listen(connection);
  }

  get id(): string {
    return this.#id;
  }

  /** Connects to the host of an earlier gateway, or starts one. Throws `conflict` while another gateway is connected. */
  static async connect(options: RemoteAgentHostOptions): Promise<RemoteAgentHost> {
    return new RemoteAgentHost(options, await connectToHost(options, options.takeOver));
  }

  spawn(spec: SpawnSpec, key: ProcessKey, listener: AgentListener): AgentProcess {
    const env = buildEnvironment(this.#options.env ?? process.env, spec.env);
    const agent = this.#add(key, spec.channel, 0, null, listener);
    this.#connection ??= this.#reconnect();
    this.#send({ type: "spawn", key, spec: { ...spec, env } });
    return agent;
  }

  attach(
    key: ProcessKey,
    channel: SpawnSpec["channel"],
    after: number,
    listener: AgentListener,
  ): AgentProcess | undefined {
    const pid = this.#survivorPids.get(nameOf(key));
    if (pid === undefined || this.#processes.has(nameOf(key))) return undefined;
    const agent = this.#add(key, channel, after, pid, listener);
    this.#send({ type: "attach", key, after });
    return agent;
  }

  acknowledge(key: ProcessKey, seq: number): void {
    this.#send({ type: "acknowledge", key, seq });
  }

  leave(): void {
    this.#hasLeft = true;
    if (!(this.#connection instanceof Promise)) this.#connection?.stream.end();
  }

  async close(): Promise<void> {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    const connection = await this.#connection;
    connection?.stream.send({ type: "close" });
    await connection?.closed;
  }

  #add(
    key: ProcessKey,
    channel: SpawnSpec["channel"],
    after: number,
    pid: number | null,
    listener: AgentListener,
  ): RemoteProcess {
    const name = nameOf(key);
    const agent = new RemoteProcess({
      key,
      channel,
      after,
      pid,
      listener,
      send: (message, lines) => this.#send(message, lines),
      onExit: () => void this.#processes.delete(name),
    });
    this.#processes.set(name, agent);
    return agent;
  }

  #send(...message: Parameters<Connection["stream"]["send"]>): void {
    if (this.#connection instanceof Promise) void this.#connection.then((open) => open?.stream.send(...message));
    else this.#connection?.stream.send(...message);
  }

  #listen(connection: Connection): void {
    connection.onMessage = (message, lines) => this.#onMessage(message, lines);
    void connection.closed.then(() => this.#onClosed());
  }

  #onMessage(message: FromHost, lines: readonly string[]): void {
    if (message.type === "replaced") return this.#options.onReplaced();
    if ("key" in message) this.#processes.get(nameOf(message.key))?.onMessage(message, lines);
  }

  /** The host died under this gateway: its agents are gone with it, and the next one is started by a new host. */
  #onClosed(): void {
    if (this.#hasLeft) return;
    const why = "the agent host ended";
    this.#options.onTrouble(why);
    this.#connection = this.#reconnect();
    this.#loseAll(why);
  }

  /** Where it fails, whatever waits for it has ended, and the next start tries again. */
  async #reconnect(): Promise<Connection | undefined> {
    try {
      const connection = await connectToHost(this.#options, false);
      this.#connection = connection;
      this.#id = connection.id;
      this.#listen(connection);
      return connection;
    } catch (error) {
      const why = `no agent host could be started: ${(error as Error).message}`;
      this.#connection = undefined;
      this.#options.onTrouble(why);
      this.#loseAll(why);
      return undefined;
    }
  }

  #loseAll(why: string): void {
    const at = (this.#options.now ?? Date.now)();
    for (const agent of [...this.#processes.values()]) agent.onLost(at, why);
  }
}
