import type { Logger } from "pino";
import { RemoteAgentHost } from "../host/remote-agent-host.js";
import type { AgentHost } from "../process/agent-host.js";
import { LocalAgentHost } from "../process/local-agent-host.js";
import { hostLogPath, hostSocketPath, MEMORY } from "./state-folder.js";

export interface ServeHostOptions {
  readonly db: string;
  readonly takeOver: boolean;
  /** How long agents are kept without a gateway, in milliseconds; 0: they are its children and end with it. */
  readonly graceMs: number;
  readonly log: Logger;
}

export interface ServeHost {
  readonly host: AgentHost;
  /** Resolves when another gateway takes over. */
  readonly replaced: Promise<"replaced">;
}

/** The agent host of a database. Sessions that are nowhere stored have nobody to come back to. */
export async function openServeHost({ db, takeOver, graceMs, log }: ServeHostOptions): Promise<ServeHost> {
  if (graceMs === 0 || db === MEMORY) return { host: new LocalAgentHost(), replaced: new Promise(() => {}) };
  let onReplaced = () => {};
  const replaced = new Promise<"replaced">((resolve) => {
    onReplaced = () => resolve("replaced");
  });
  const host = await RemoteAgentHost.connect({
    path: hostSocketPath(db),
    logPath: hostLogPath(db),
    graceMs,
    takeOver,
    onReplaced,
    onTrouble: (message, details = {}) => log.error(details, message),
  });
  return { host, replaced };
}
