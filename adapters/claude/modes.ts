import type { Mode } from "../../schemas/index.js";
import type { NativeMode } from "../contract.js";

/**
 * The wire's modes as `--permission-mode`. `read-only` is `dontAsk` without the tools that edit or run commands, which
 * `launch` takes away: `dontAsk` alone would still honour the user's own allow rules. `yolo` is bypassPermissions, under which questions are still asked.
 */
export const MODES = {
  default: { native: "default", fidelity: "exact" },
  acceptEdits: { native: "acceptEdits", fidelity: "exact" },
  plan: { native: "plan", fidelity: "exact" },
  "read-only": { native: "dontAsk", fidelity: "approximate" },
  "safe-yolo": { native: "", fidelity: "unsupported" },
  yolo: { native: "bypassPermissions", fidelity: "approximate" },
  bypassPermissions: { native: "bypassPermissions", fidelity: "exact" },
  auto: { native: "auto", fidelity: "exact" },
} as const satisfies Record<Mode, NativeMode>;

/** The wire's mode that a native one stands for exactly; undefined for one that has no such name. */
export function modeOfNative(native: string): Mode | undefined {
  const found = Object.entries(MODES).find(([, mode]) => mode.native === native && mode.fidelity === "exact");
  return found?.[0] as Mode | undefined;
}
