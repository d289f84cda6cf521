import { isIP } from "node:net";
import { bareHost, isLoopback } from "./loopback.js";

export interface HostPolicy {
  /** Undefined on a unix socket, where any will do. */
  readonly port: number | undefined;
  /** Names besides the loopback ones, each as `name` (any port) or `name:port`. */
  readonly allowedHosts: readonly string[];
  /** Listening beyond loopback: plain addresses are accepted too, for DNS rebinding needs a name. */
  readonly allowRemote: boolean;
}

const HTTP_PORT = 80;

/**
 * Whether a `Host` header names this server. A web page whose own name was made to resolve to this machine sends that
 * name, which is how DNS rebinding shows.
 */
export function isAllowedHost(header: string | undefined, policy: HostPolicy): boolean {
  if (header === undefined) return false;
  const { name, port } = splitHost(header.toLowerCase());
  const allowed = policy.allowedHosts.map((entry) => splitHost(entry.toLowerCase()));
  if (allowed.some((entry) => entry.name === name && (entry.port === undefined || entry.port === port))) return true;
  if (policy.port !== undefined && (port ?? HTTP_PORT) !== policy.port) return false;
  return isLoopback(name) || (policy.allowRemote && isIP(name) !== 0);
}

function splitHost(host: string): { readonly name: string; readonly port: number | undefined } {
  const match = /^(\[[0-9a-f:.]+\]|[^:]*)(?::(\d+))?$/.exec(host);
  return { name: bareHost(match?.[1] ?? ""), port: match?.[2] === undefined ? undefined : Number(match[2]) };
}
