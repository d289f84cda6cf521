import { call, custom, type ItemOptions, type ScriptedItem } from "../openai/script.js";

/** Tool calls as Codex's models write them. */

/** One delta: a path that is cut between two could not be given a placeholder. */
const WHOLE = { chunk: 100_000 };

export function exec(cmd: string, options: ItemOptions & { readonly yieldMs?: number } = {}): ScriptedItem {
  const { yieldMs, ...rest } = options;
  return call("exec_command", { cmd, ...(yieldMs !== undefined && { yield_time_ms: yieldMs }) }, rest);
}

/** A command that the model wants to run outside of the sandbox: it is asked for in every mode that asks. */
export function escalated(cmd: string, justification = "May I?", options: ItemOptions = {}): ScriptedItem {
  return call("exec_command", { cmd, sandbox_permissions: "require_escalated", justification }, options);
}

export function patch(lines: readonly string[], options: ItemOptions = {}): ScriptedItem {
  const body = ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
  return custom("apply_patch", body, { ...WHOLE, ...options });
}

export function addFile(path: string, content: string): string[] {
  return [`*** Add File: ${path}`, ...content.split("\n").map((line) => `+${line}`)];
}
