import type { Mode, PermissionRule } from "../../schemas/index.js";
import type { NativeMode } from "../contract.js";

type Action = PermissionRule["action"];

interface OpencodeMode extends NativeMode {
  /** The primary agent. */
  readonly agent: "build" | "plan";
  /** The configuration that the server is started with: it holds for subagents too. */
  readonly config: Readonly<Record<string, Action>>;
  /** What the session itself allows, under whatever the user's configuration says of patterns. */
  readonly allows: readonly string[];
  /** What the session itself denies; subagents inherit it. */
  readonly denies: readonly string[];
}

/**
 * Names with a wildcard: under its plain name an entry would take the place of the user's own, and be ordered where that
 * stood. So it stands behind the user's, which stays readable, and what that denies is put back by the session's rules.
 */
const BASH = "bas?";
const EDIT = "edi?";
const ANYTHING = "?*";
/** Fetching a page tells a stranger what is looked for; a tool of a server may do anything, and has a `_` in its name. */
const OUTSIDE = { "webfetc?": "ask", "websearc?": "ask", "?*_?*": "ask" } as const;

const ALL = { [ANYTHING]: "allow" } as const;
const NONE = { native: "", fidelity: "unsupported", agent: "build", config: {}, allows: [], denies: [] } as const;

/**
 * The server by itself asks for next to nothing. `default` has it ask for commands, edits, pages and the tools of servers;
 * what else a plugin brings runs unasked, so it is approximate. `plan` is OpenCode's own agent for it, which may run
 * commands: those are asked for. There is neither a sandbox nor a reviewer, so there is no `safe-yolo` and no `auto`.
 */
export const MODES = {
  default: {
    native: "build, asks",
    fidelity: "approximate",
    agent: "build",
    config: { [BASH]: "ask", [EDIT]: "ask", ...OUTSIDE },
    allows: [],
    denies: [],
  },
  acceptEdits: {
    native: "build, edits allowed",
    fidelity: "approximate",
    agent: "build",
    // Not in the configuration: it would give subagents what they have not.
    config: { [BASH]: "ask", ...OUTSIDE },
    allows: ["edit"],
    denies: [],
  },
  plan: {
    native: "plan, commands ask",
    fidelity: "approximate",
    agent: "plan",
    config: { [BASH]: "ask", ...OUTSIDE },
    allows: [],
    denies: ["edit"],
  },
  "read-only": {
    native: "build, edits and commands denied",
    fidelity: "exact",
    agent: "build",
    config: { [BASH]: "deny", [EDIT]: "deny", "webfetc?": "ask", "websearc?": "ask", "?*_?*": "deny" },
    allows: [],
    denies: ["bash", "edit"],
  },
  "safe-yolo": NONE,
  yolo: { native: "build, all allowed", fidelity: "exact", agent: "build", config: ALL, allows: [], denies: [] },
  bypassPermissions: {
    native: "build, all allowed",
    fidelity: "exact",
    agent: "build",
    config: ALL,
    allows: [],
    denies: [],
  },
  auto: NONE,
} as const satisfies Record<Mode, OpencodeMode>;

/** The permissions a mode is about: what the user's configuration says of them must be kept. */
const SUBJECTS = ["bash", "edit", "webfetch", "websearch"];
const OWN = new Set<string>([BASH, EDIT, ANYTHING, ...Object.keys(OUTSIDE)]);

/**
 * What stands in the user's own configuration and would be weaker behind the mode's entries: everything that is denied, and
 * every choice for a pattern. A denial that a later entry takes back is none.
 */
export function keptRules(rules: readonly PermissionRule[]): PermissionRule[] {
  const own = rules.filter((rule) => !OWN.has(rule.permission));
  const denied = [...new Set([...SUBJECTS, ...own.map(({ permission }) => permission)])]
    .filter((permission) => permission !== "*" && lastAction(own, permission) === "deny")
    .map(rule("deny"));
  const patterned = own.filter(({ permission, pattern }) => SUBJECTS.includes(permission) && pattern !== "*");
  return [...denied, ...patterned];
}

function lastAction(rules: readonly PermissionRule[], permission: string): Action | undefined {
  const matching = rules.filter((rule) => rule.pattern === "*" && [permission, "*"].includes(rule.permission));
  return matching.at(-1)?.action;
}

/** The rules of a new session: they come last, so nothing of a configuration or an agent takes them back. */
export function sessionRules(mode: Mode, kept: readonly PermissionRule[]): PermissionRule[] {
  const { allows, denies } = MODES[mode];
  // Where nothing is asked, only what is denied is kept.
  const user = asksNothing(mode) ? kept.filter(({ action }) => action === "deny") : kept;
  return [...allows.map(rule("allow")), ...user, ...denies.map(rule("deny"))];
}

/** The rules of a session that has some already: new ones are put behind those, so what the last mode set is taken back. */
export function renewedRules(mode: Mode, kept: readonly PermissionRule[]): PermissionRule[] {
  const open = ["bash", "edit"].map(rule(asksNothing(mode) ? "allow" : "ask"));
  return [...open, ...sessionRules(mode, kept)];
}

function asksNothing(mode: Mode): boolean {
  return ANYTHING in MODES[mode].config;
}

function rule(action: Action): (permission: string) => PermissionRule {
  return (permission) => ({ permission, pattern: "*", action });
}
