import type { Mode } from "../../schemas/index.js";
import type { NativeMode } from "../contract.js";
import type { SandboxPolicy } from "./native-types.js";

type Approval = "untrusted" | "on-request" | "never";
type Sandbox = "read-only" | "workspace-write" | "danger-full-access";

interface CodexMode extends NativeMode {
  readonly approval: Approval;
  readonly sandbox: Sandbox;
}

/**
 * The wire's modes as approval policy and sandbox. `default` is `untrusted`, which asks for every patch and every
 * command, also for one that only reads: that is more than others ask, so it is approximate. `acceptEdits` and
 * `auto` leave it to the model and the sandbox when to ask. `safe-yolo` and `read-only` never ask: what the sandbox does not
 * allow fails. `plan` is Codex's own plan mode, held to a sandbox that cannot write.
 */
export const MODES = {
  default: {
    native: "untrusted, workspace-write",
    fidelity: "approximate",
    approval: "untrusted",
    sandbox: "workspace-write",
  },
  acceptEdits: {
    native: "on-request, workspace-write",
    fidelity: "approximate",
    approval: "on-request",
    sandbox: "workspace-write",
  },
  plan: { native: "plan, read-only", fidelity: "exact", approval: "on-request", sandbox: "read-only" },
  "read-only": { native: "never, read-only", fidelity: "exact", approval: "never", sandbox: "read-only" },
  "safe-yolo": { native: "never, workspace-write", fidelity: "exact", approval: "never", sandbox: "workspace-write" },
  yolo: { native: "never, danger-full-access", fidelity: "exact", approval: "never", sandbox: "danger-full-access" },
  bypassPermissions: {
    native: "never, danger-full-access",
    fidelity: "exact",
    approval: "never",
    sandbox: "danger-full-access",
  },
  auto: {
    native: "on-request, workspace-write",
    fidelity: "approximate",
    approval: "on-request",
    sandbox: "workspace-write",
  },
} as const satisfies Record<Mode, CodexMode>;

/** Said with every turn: a resumed thread comes back with another sandbox than it had. */
export function turnPolicy(mode: Mode) {
  const { approval, sandbox } = MODES[mode];
  return { approvalPolicy: approval, sandboxPolicy: SANDBOXES[sandbox] };
}

export function threadPolicy(mode: Mode) {
  const { approval, sandbox } = MODES[mode];
  return { approvalPolicy: approval, sandbox };
}

const SANDBOXES: Record<Sandbox, SandboxPolicy> = {
  "read-only": { type: "readOnly", networkAccess: false },
  "workspace-write": {
    type: "workspaceWrite",
    writableRoots: [],
    networkAccess: false,
    excludeTmpdirEnvVar: false,
    excludeSlashTmp: false,
  },
  "danger-full-access": { type: "dangerFullAccess" },
};
