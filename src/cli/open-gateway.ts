import { join, resolve } from "node:path";
import pino, { type Logger } from "pino";
import type { PermissionRule } from "../../schemas/index.js";
import { startPolicy } from "../policy/policy.js";
import type { AgentHost } from "../process/agent-host.js";
import { LocalAgentHost } from "../process/local-agent-host.js";
import { createServerCore, type ServerCore } from "../server/server-core.js";
import { AgentPrograms, type DeclaredProgram, type Program } from "../session/agent-programs.js";
import { Gateway, type GatewayOptions } from "../session/gateway.js";
import { NativeLocks } from "../session/native-locks.js";
import { openStore, type StoreOptions } from "../store/open-store.js";
import type { Store } from "../store/store.js";
import { packageVersion } from "./package-info.js";
import { stateFolder } from "./state-folder.js";

export interface OpenGatewayOptions {
  /** A file, or `:memory:`. */
  readonly db: string;
  readonly programs?: Readonly<Record<string, Program>>;
  /** As in `StoreOptions`. */
  readonly largeChars?: number;
  /** Agents that were declared beside those there are adapters for. */
  readonly agents?: Readonly<Record<string, DeclaredProgram>>;
  readonly logLevel?: string;
  /** Permission rules for every session; a session's own come after them. */
  readonly rules?: readonly PermissionRule[];
  /** As in `SessionRegistryOptions`. */
  readonly idleMs?: number | undefined;
  readonly tap?: GatewayOptions["tap"];
  /** What runs the agents; by default they are children of this process. */
  readonly host?: AgentHost;
}

export interface OpenGateway {
  readonly gateway: Gateway;
  readonly store: Store;
  readonly core: ServerCore;
  readonly log: Logger;
  /** Ends every agent and closes the database. */
  close(): Promise<void>;
  /** Closes the database; the agents go on for the gateway that comes next. */
  leave(): void;
}

/** Folder of the agents that development installs, where the command was given. */
export const AGENTS_DIR = resolve(".agents");

/** Puts the layers together: store, agent host, sessions, policy, and what servers need. */
export function openGateway(options: OpenGatewayOptions): OpenGateway {
  // stdout is data: the log goes to stderr.
  const log = pino({ level: options.logLevel ?? "warn", base: null }, pino.destination({ dest: 2, sync: true }));
  const host = options.host ?? new LocalAgentHost();
  const store = openStoreOrLeave(host, {
    path: options.db,
    ...(options.largeChars !== undefined && { largeChars: options.largeChars }),
    onError: (error, sessionIDs) => {
      log.error({ error, sessionIDs }, "the store failed");
      gateway.storeFailed(sessionIDs);
    },
  });
  const programs = new AgentPrograms({
    agentsDir: AGENTS_DIR,
    ...(options.programs && { overrides: options.programs }),
    ...(options.agents && { declared: options.agents }),
  });
  const gateway: Gateway = new Gateway({
    store,
    host,
    locks: new NativeLocks(join(stateFolder(), "locks")),
    programs,
    log,
    ...(options.idleMs !== undefined && { idleMs: options.idleMs }),
    ...(options.tap && { tap: options.tap }),
  });
  const stopPolicy = startPolicy({ store, desk: gateway, log, ...(options.rules && { rules: options.rules }) });
  const core = createServerCore({ handler: gateway, store, version: packageVersion(), log });
  const close = async () => {
    await gateway.close();
    stopPolicy();
    store.close();
  };
  const leave = () => {
    stopPolicy();
    gateway.leave();
    store.close();
    // The next gateway may open the database from here on.
    host.leave();
  };
  return { gateway, store, core, log, close, leave };
}

/** A gateway that cannot start ends no agent of the last one. */
function openStoreOrLeave(host: AgentHost, options: StoreOptions): Store {
  try {
    return openStore(options);
  } catch (error) {
    host.leave();
    throw error;
  }
}
