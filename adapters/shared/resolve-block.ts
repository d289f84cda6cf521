import type {
  Block,
  DecidedBy,
  Decision,
  PermissionRule,
  ResolvedBlock,
  ResolvedPermissionBlock,
} from "../../schemas/index.js";
import { updateSession } from "./session-record.js";
import type { Draft } from "./transcript.js";

export interface Verdict {
  readonly decision: Decision;
  readonly decidedBy: DecidedBy;
  readonly optionID?: string;
  readonly answers?: readonly (readonly string[])[];
  readonly output?: string;
  readonly error?: string;
  readonly message?: string;
}

/** The block as it is kept on the tool part once it was decided. */
export function resolveBlock(draft: Draft, block: Block, verdict: Verdict): ResolvedBlock {
  const how = {
    decidedAt: draft.at,
    decidedBy: verdict.decidedBy,
    ...(verdict.message !== undefined && { message: verdict.message }),
  };
  if (block.type === "permission") {
    const option = verdict.optionID === undefined ? {} : { optionID: verdict.optionID };
    return { ...block, decision: verdict.decision, ...option, ...how };
  }
  if (block.type === "call") {
    const { output, error } = verdict;
    return { ...block, ...(output !== undefined && { output }), ...(error !== undefined && { error }), ...how };
  }
  const answers = (verdict.answers ?? []).map((labels) => [...labels]);
  return { ...block, answers, ...(verdict.decision === "reject" && { rejected: true }), ...how };
}

/** What an `always` decision allows from now on joins the session's rules; a rule that is there already is not doubled. */
export function rememberAlways(draft: Draft, block: ResolvedPermissionBlock): void {
  const rules = draft.transcript.session.permission ?? [];
  const known = new Set(rules.map(ruleKey));
  const added = [...new Set(block.always)]
    .map((pattern): PermissionRule => ({ permission: block.permission, pattern, action: "allow", source: "approval" }))
    .filter((rule) => !known.has(ruleKey(rule)));
  if (added.length > 0) updateSession(draft, { permission: [...rules, ...added] });
}

function ruleKey(rule: PermissionRule): string {
  return JSON.stringify([rule.permission, rule.pattern, rule.action]);
}
