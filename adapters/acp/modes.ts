import { Mode } from "../../schemas/index.js";
import type { Profile } from "./profile.js";

/** The agent's own name of a mode; undefined where it has none, and nothing needs to be said. */
export function nativeMode({ modes }: Profile, mode: Mode): string | undefined {
  return modes[mode].native || undefined;
}

/** The mode of the wire that an agent's mode is: the one it has exactly before one that only comes near. */
export function wireMode({ modes }: Profile, native: string, current: Mode): Mode | undefined {
  const named = Mode.options.filter((mode) => modes[mode].fidelity !== "unsupported" && modes[mode].native === native);
  if (named.includes(current)) return current;
  return named.find((mode) => modes[mode].fidelity === "exact") ?? named[0];
}
