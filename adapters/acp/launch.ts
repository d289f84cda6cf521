import type { LaunchSpec } from "../contract.js";
import type { Profile } from "./profile.js";

/** Everything else is said over the protocol: session, mode, model, servers of tools. */
export function launchOf({ args, env, inputEndMs }: Profile): LaunchSpec {
  return { args, env, ...(inputEndMs !== undefined && { inputEndMs }) };
}
