import type { PermissionBlock, PermissionRule } from "../../schemas/index.js";
import { isClimbing, matchPattern, matchPermission } from "./match-pattern.js";

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
  const configured = matching.filter((rule) => !isApproval(rule)).at(-1)?.action ?? "ask";
  if (configured !== "ask") return configured;
  return matching.some(isApproval) ? "allow" : "ask";
}

function isApproval(rule: PermissionRule): boolean {
  return rule.source === "approval" && rule.action === "allow";
}

/** A rule that allows must cover all of what is accessed; for one that denies or asks any command of a line is enough. */
function covers(rule: PermissionRule, permission: string, subject: string, directory: string): boolean {
  if (!matchPermission(rule.permission, permission)) return false;
  const matches = (text: string) => matchPattern(permission, rule.pattern, text, directory);
  if (rule.action !== "allow") return matches(subject) || commandsOf(permission, subject).some(matches);
  return matches(subject) && (rule.pattern === "*" || !isMore(rule.pattern, permission, subject));
}

/** The commands of a command line, as far as its text tells. */
function commandsOf(permission: string, subject: string): string[] {
  return permission === "bash" ? subject.split(BETWEEN_COMMANDS).map((command) => command.trim()) : [];
}

/** Whether what is accessed may be more than a pattern with wildcards was meant to allow. */
function isMore(pattern: string, permission: string, subject: string): boolean {
  if (isClimbing(permission, subject)) return true;
  // "git *" is no leave to run what another command line hangs behind git.
  return permission === "bash" && /[*?]/.test(pattern) && CHAINED_COMMAND.test(subject);
}

const CHAINED_COMMAND = /[;&|<>`\n\r]|\$\(/;
const BETWEEN_COMMANDS = /[;&|()`\n\r]|\$\(/;
