import { join, resolve } from "node:path";
import type { Logger } from "pino";
import type { PermissionRule } from "../../schemas/index.js";
import { Metrics } from "../metrics/metrics.js";
import { startPolicy } from "../policy/policy.js";
import type { AgentHost } from "../process/agent-host.js";
import { LocalAgentHost } from "../process/local-agent-host.js";
import { createServerCore, type ServerCore } from "../server/server-core.js";
import { AgentPrograms, type DeclaredProgram, type Program } from "../session/agent-programs.js";
import { Gateway, type GatewayOptions } from "../session/gateway.js";
import { NativeLocks } from "../session/native-locks.js";
import { Retention } from "../session/retention.js";
import { openStore, type StoreOptions } from "../store/open-store.js";
import type { Store } from "../store/store.js";
import { createLog } from "./create-log.js";
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
  /** By default warnings and worse, on standard error. */
  readonly log?: Logger;
  /** As in `SessionRegistryOptions`. */
  readonly redact?: GatewayOptions["redact"];
  /** Permission rules for every session; a session's own come after them. */
  readonly rules?: readonly PermissionRule[];
  /** As in `SessionRegistryOptions`. */
  readonly idleMs?: number | undefined;
  /** How long sessions are kept that nobody uses, in days; for ever by default. */
  readonly keepDays?: number | undefined;
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
  const log = options.log ?? createLog({ level: "warn" });
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
    ...(options.redact && { redact: options.redact }),
    ...(options.tap && { tap: options.tap }),
  });
  const stopPolicy = startPolicy({ store, desk: gateway, log, ...(options.rules && { rules: options.rules }) });
  const core: ServerCore = createServerCore({
    handler: gateway,
    store,
    version: packageVersion(),
    log,
    metrics: () => metrics.scrape(),
  });
  const metrics = new Metrics({ gateway, store, core });
  const stopRetention =
    options.keepDays === undefined ? undefined : startRetention(gateway, store, log, options.keepDays);
  const close = async () => {
    stopRetention?.();
    await gateway.close();
    stopPolicy();
    metrics.stop();
    store.close();
  };
  const leave = () => {
    stopRetention?.();
    stopPolicy();
    metrics.stop();
    gateway.leave();
    store.close();
    // The next gateway may open the database from here on.
    host.leave();
  };
  return { gateway, store, core, log, close, leave };
}

/** Returns the way to stop it. */
function startRetention(gateway: Gateway, store: Store, log: Logger, keepDays: number): () => void {
  const expire = (sessionID: string, since: number) => gateway.expire(sessionID, since);
  const retention = new Retention({ store, expire, keepDays, log });
  retention.start();
  return () => retention.stop();
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
