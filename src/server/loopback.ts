import { isIP } from "node:net";

/** The name in a URL or a `Host` header, without the brackets of an IPv6 address. */
export const bareHost = (host: string): string => host.toLowerCase().replace(/^\[(.*)\]$/, "$1");

/** Whether only this machine can reach an address. Names other than `localhost` are not looked up: they may change. */
export function isLoopback(host: string): boolean {
  const bare = bareHost(host);
  if (bare === "localhost" || bare === "::1") return true;
  return isIP(bare) === 4 && bare.startsWith("127.");
}
