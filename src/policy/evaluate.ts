import type { PermissionBlock, PermissionRule } from "../../schemas/index.js";
import { matchPattern, matchPermission } from "./match-pattern.js";

export type Verdict = "allow" | "deny" | "ask";

/**
 * What the rules say of a request: for each thing it accesses the last rule that matches wins, the strictest verdict of
 * all counts, and no rule means ask. Approvals given with `always` answer what would be asked, never what is denied.
 */
export function evaluate(
  rules: readonly PermissionRule[],
  request: Pick<PermissionBlock, "permission" | "patterns">,
  directory: string,
): Verdict {
  const verdicts = request.patterns.map((subject) => verdictOn(rules, request.permission, subject, directory));
  if (verdicts.includes("deny")) return "deny";
  return verdicts.length > 0 && verdicts.every((verdict) => verdict === "allow") ? "allow" : "ask";
}

function verdictOn(rules: readonly PermissionRule[], permission: string, subject: string, directory: string): Verdict {
  const matching = rules.filter((rule) => covers(rule, permission, subject, directory));
  const configured = matching.filter((rule) => rule.source !== "approval").at(-1)?.action ?? "ask";
  if (configured !== "ask") return configured;
  return matching.some((rule) => rule.source === "approval") ? "allow" : "ask";
}

function covers(rule: PermissionRule, permission: string, subject: string, directory: string): boolean {
  if (!matchPermission(rule.permission, permission) || !matchPattern(permission, rule.pattern, subject, directory))
    return false;
  // "git *" is no leave to run what another command line hangs behind git.
  const isPrefix = permission === "bash" && rule.pattern !== "*" && rule.pattern.includes("*");
  return !(rule.action === "allow" && isPrefix && CHAINED_COMMAND.test(subject));
}

const CHAINED_COMMAND = /[;&|<>`\n\r]|\$\(/;
