import type { Capability } from "../schemas/index.js";

/**
 * One promise. It holds for every adapter with the capability, and a golden trace recorded from the real agent shows it.
 * `only` names the adapter whose agent alone has the thing; `test` names the test that shows what no recording can.
 */
export interface Requirement {
  readonly id: string;
  readonly title: string;
  readonly needs?: Capability;
  readonly only?: string;
  readonly test?: string;
}

/** Why a capable adapter has no trace for a requirement. An entry that is not needed any more fails the gate. */
export interface Waiver {
  readonly requirement: string;
  readonly adapter: string;
  readonly reason: string;
}

export const REQUIREMENTS: readonly Requirement[] = [
  { id: "text.streaming", title: "Text streams by deltas and closes with the whole text", needs: "streaming" },
  { id: "text.multi-block", title: "A response of several texts keeps them apart and in order" },
  { id: "text.without-deltas", title: "A response that did not stream has the same parts" },
  {
    id: "text.abandoned",
    title: "Text of a response that was cut stays, marked as not part of the conversation",
    needs: "streaming",
  },
  { id: "text.kept", title: "A block that was whole before the cut is kept", needs: "streaming" },
  { id: "reasoning.streaming", title: "Reasoning streams like text, as a part of its own", needs: "reasoning" },
  { id: "reasoning.multi-block", title: "Reasoning and text alternate in one response", needs: "reasoning" },

  { id: "tool.completed", title: "A tool call goes from pending to completed" },
  { id: "tool.input-streaming", title: "The input of a call streams into the pending part", needs: "streaming" },
  { id: "tool.output", title: "The output of a tool is on its part" },
  { id: "tool.exit-code", title: "A command that fails is an error with its output" },
  { id: "tool.error", title: "A tool that fails is an error with its reason" },
  { id: "tool.unknown", title: "A call of a tool that does not exist is an error, not a crash" },
  { id: "tool.invalid-input", title: "A call with a wrong input is an error" },
  { id: "tool.unparsable-input", title: "A call whose input is no JSON is an error, and the raw input is kept" },
  { id: "tool.read", title: "Reading a file is the tool `read`" },
  { id: "tool.write", title: "Writing a file is the tool `write`" },
  { id: "tool.edit", title: "Changing a file is the tool `edit`" },
  { id: "tool.search", title: "Searching files" },
  { id: "tool.sequence", title: "Several calls of one response that run one after another" },
  { id: "tool.parallel", title: "Several calls of one response that run at once" },
  { id: "tool.between-texts", title: "A result that comes while its response still streams" },
  { id: "tool.abandoned", title: "A call whose input was cut off is an error and never runs", needs: "streaming" },

  { id: "permission.once", title: "A tool blocks, is allowed once, and runs", needs: "permissions" },
  { id: "permission.reject", title: "A rejected tool is an error with its decision", needs: "permissions" },
  { id: "permission.reject-message", title: "The reason of a rejection reaches the agent", needs: "permissions" },
  { id: "permission.reject-interrupt", title: "A rejection can end the turn", needs: "permissions" },
  { id: "permission.always", title: "`always` adds the offered patterns to the session's rules", needs: "always" },
  { id: "permission.not-asked-again", title: "What was allowed always is not asked again", needs: "always" },
  { id: "permission.always-is-narrow", title: "`always` covers what was offered and nothing else", needs: "always" },
  {
    id: "permission.always-unblocks-sibling",
    title: "`always` lets go a waiting call that it covers",
    needs: "always",
  },
  { id: "permission.sequence", title: "Calls of one response ask one after another", needs: "permissions" },
  { id: "permission.concurrent", title: "Several calls wait at once", needs: "permissions" },
  { id: "permission.any-order", title: "Waiting calls are decided in any order", needs: "permissions" },
  {
    id: "permission.reject-cascades",
    title: "A rejection takes the session's other waiting calls with it",
    needs: "permissions",
  },
  { id: "permission.withdrawn", title: "An ask that the agent takes back waits no more", needs: "permissions" },
  { id: "permission.first-wins", title: "The first reply wins, a later one is a conflict", needs: "permissions" },
  { id: "permission.rule-allow", title: "A rule of the session allows without asking anybody", needs: "permissions" },
  { id: "permission.rule-deny", title: "A rule of the session denies without asking anybody", needs: "permissions" },
  {
    id: "permission.decided-by-agent",
    title: "What the agent decides by itself is on the tool's part",
    needs: "permissions",
  },
  {
    id: "permission.denied-by-mode",
    title: "A mode that denies is an error on the tool, with no ask",
    needs: "permissions",
  },
  { id: "diff.new-file", title: "The ask for a new file carries its diff", needs: "permissions" },
  { id: "diff.edit", title: "The ask for a change carries its diff", needs: "permissions" },
  {
    id: "permission.always-wide-suggestion",
    title: "Suggestions wider than what was asked are not sent back",
    only: "claude",
  },
  {
    id: "permission.allowed-by-user-settings",
    title: "An allow rule in the user's settings asks nobody",
    only: "claude",
  },
  { id: "permission.denied-by-project", title: "A deny rule in the project's settings denies", only: "claude" },
  { id: "permission.untrusted-project", title: "An allow rule of a project nobody trusted still asks", only: "claude" },

  { id: "mode.acceptEdits", title: "Edits in the project run unasked, commands ask" },
  { id: "mode.plan", title: "The agent reads and answers" },
  { id: "mode.read-only", title: "Nothing is written and no command runs" },
  { id: "mode.changed-by-agent", title: "The mode in force is on the session, also when the agent changes it" },
  {
    id: "mode.bypass-refused",
    title: "A mode the agent refuses to start in is a clear error before anything starts",
    only: "claude",
    test: "test/unit/adapters/claude/launch.test.ts",
  },

  { id: "turn.finish-stop", title: "A turn that came to its end" },
  { id: "turn.finish-aborted", title: "An aborted turn is a finish, not an error", needs: "abort" },
  { id: "turn.finish-length", title: "A response that hit its length limit" },
  { id: "turn.finish-refusal", title: "A response the model refused" },
  { id: "turn.context", title: "The second prompt knows the first" },
  { id: "turn.continued", title: "The agent goes on by itself after a limit, in the same turn" },
  { id: "turn.queue", title: "A prompt during a turn waits, visibly, and runs after it" },
  { id: "turn.queue-order", title: "Waiting prompts run one by one, in their order" },
  { id: "turn.busy", title: "A prompt that will not wait is refused" },
  { id: "turn.after-abort", title: "The session goes on after an abort", needs: "abort" },
  { id: "turn.after-error", title: "The session goes on after an error" },

  { id: "abort.before-first-token", title: "Abort before the first token", needs: "abort" },
  { id: "abort.mid-stream", title: "Abort in the middle of a text", needs: "abort" },
  { id: "abort.mid-tool-input", title: "Abort while the model writes a call", needs: "abort" },
  { id: "abort.mid-tool", title: "Abort while a tool runs", needs: "abort" },
  { id: "abort.blocked", title: "Abort while a tool waits for a decision", needs: "abort" },
  { id: "abort.idle", title: "Abort while nothing runs does no harm", needs: "abort" },
  { id: "abort.queued", title: "Abort drops the prompts that wait", needs: "abort" },

  { id: "error.auth", title: "A key that is not accepted" },
  { id: "error.model", title: "A model that does not exist" },
  { id: "error.invalid-request", title: "A request the API refuses" },
  { id: "error.rate-limit", title: "The API limits the rate" },
  { id: "error.overloaded", title: "The API is overloaded" },
  { id: "error.network", title: "The API cannot be reached" },
  { id: "error.usage-limit", title: "No credit is left" },
  { id: "error.context-overflow", title: "The conversation is too long" },
  { id: "error.output-length", title: "The agent gives up after the output limit" },
  { id: "error.refusal", title: "The model refuses" },
  { id: "error.after-tool", title: "An API failure behind a tool's result" },
  { id: "retry.status", title: "A retry shows as the session's status" },
  { id: "retry.stream-error", title: "An error inside the stream" },
  { id: "retry.stream-cut", title: "A connection that is cut in the middle of the stream" },
  { id: "retry.non-streaming", title: "The agent falls back to a request that does not stream" },

  { id: "usage.step", title: "Each response has its own tokens", needs: "usage" },
  { id: "usage.accounted", title: "The steps add up to the agent's own totals", needs: "usage" },

  { id: "process.exit-mid-stream", title: "The agent dies in the middle of a text" },
  { id: "process.exit-mid-tool", title: "The agent dies while a tool runs" },
  { id: "process.exit-blocked", title: "The agent dies while a tool waits" },
  { id: "process.resume", title: "The next prompt brings the agent back with its history", needs: "resume" },
  { id: "process.restart-without-history", title: "An agent that has nothing to resume starts anew", needs: "resume" },
];

export const WAIVERS: readonly Waiver[] = [];
