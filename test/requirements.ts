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

/** A test that shows a requirement of one adapter, where no recording of its agents does. */
export interface Shown {
  readonly requirement: string;
  readonly adapter: string;
  readonly test: string;
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

  {
    id: "permission.rebuilt",
    title: "A waiting call is decided after its session was built anew from what is stored",
    needs: "permissions",
  },
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

  { id: "question.one", title: "A question blocks its tool and is answered by an option", needs: "questions" },
  { id: "question.several", title: "Several questions are answered at once", needs: "questions" },
  { id: "question.multiple", title: "Several options of one question are chosen", needs: "questions" },
  { id: "question.custom", title: "A question is answered in free text", needs: "questions" },
  { id: "question.unanswered", title: "A question may be left unanswered beside others", needs: "questions" },
  { id: "question.rejected", title: "A rejected question is an error with its reason", needs: "questions" },
  { id: "question.withdrawn", title: "A question of an aborted turn waits no more", needs: "questions" },
  { id: "subagent.child", title: "A subagent is a session of its own below its parent", needs: "subagents" },
  { id: "subagent.foreground", title: "The parent waits for its subagent", needs: "subagents" },
  { id: "subagent.text", title: "What a subagent says is in its session", needs: "subagents" },
  { id: "subagent.background", title: "The agent goes on beside its subagent", needs: "subagents" },
  { id: "subagent.outlives-turn", title: "A subagent outlives its parent's turn", needs: "subagents" },
  { id: "subagent.parallel", title: "Subagents work at once and end in any order", needs: "subagents" },
  { id: "subagent.nested", title: "A subagent has subagents", needs: "subagents" },
  { id: "subagent.failed", title: "A failed subagent has the error, and its parent goes on", needs: "subagents" },
  { id: "subagent.refused", title: "A subagent that cannot start leaves no session", needs: "subagents" },
  {
    id: "subagent.permission",
    title: "A subagent's tool blocks in its session and is listed from the root",
    needs: "subagents",
  },
  { id: "subagent.always", title: "An always in a subagent is a rule of the whole session", only: "claude" },
  { id: "subagent.rules", title: "A session's rules hold for its subagents", needs: "subagents" },
  { id: "subagent.aborted", title: "An aborted subagent ends with its open tools", needs: "subagents" },
  { id: "abort.subagent", title: "Abort while a subagent works", needs: "subagents" },
  { id: "subagent.stopped", title: "One subagent is ended, the others go on", needs: "subagents" },
  { id: "subagent.resumed", title: "A further message goes on in the same child session", needs: "subagents" },
  { id: "todo.list", title: "The todo list is on the session", needs: "todos" },
  { id: "todo.removed", title: "A removed todo leaves the list", needs: "todos" },
  { id: "steer.text", title: "Steering cuts the running text", needs: "steer" },
  { id: "steer.tool", title: "Steering during a tool reaches the model with its result", needs: "steer" },
  { id: "steer.own-turn", title: "A prompt into a turn that nobody prompted has a turn of its own", only: "claude" },
  { id: "steer.aborted", title: "Abort drops a steering prompt", needs: "steer" },
  { id: "compaction.manual", title: "The user compacts the conversation", needs: "compaction" },
  { id: "compaction.auto", title: "The agent compacts by itself inside a turn", needs: "compaction" },
  { id: "compaction.empty", title: "Nothing to compact does no harm", needs: "compaction" },
  { id: "session.compact", title: "A request compacts the conversation; it waits like a prompt", needs: "compact" },
  { id: "session.review", title: "A request has changes reviewed; what is found is a tool's output", needs: "review" },
  { id: "image.prompt", title: "An image of a prompt reaches the model", needs: "images" },
  { id: "image.result", title: "An image that a tool returns is an attachment", needs: "images" },
  { id: "file.prompt", title: "A text file of a prompt reaches the model, inline and by its place", needs: "images" },
  { id: "mcp.tool", title: "A tool of an MCP server is the tool `mcp`", needs: "mcp" },
  { id: "mcp.error", title: "A failing MCP tool is an error", needs: "mcp" },
  { id: "mcp.image", title: "An MCP image is an attachment", needs: "mcp" },
  { id: "mcp.elicitation", title: "A server's form is a question", needs: "mcp" },
  { id: "mcp.elicitation-late", title: "A form that comes while no turn runs is a turn of its own", only: "claude" },
  {
    id: "tool.client-served",
    title: "A tool that the client serves waits for it, and completes",
    needs: "client-tools",
  },
  { id: "tool.client-error", title: "The client tells why it did not carry out a call", needs: "client-tools" },
  { id: "tool.client-image", title: "The client adds an image to its output", needs: "client-tools" },
  { id: "tool.client-aborted", title: "Abort while a call waits for the client", needs: "client-tools" },
  { id: "tool.client-parallel", title: "Calls wait at once and are carried out in any order", needs: "client-tools" },
  {
    id: "tool.client-rebuilt",
    title: "A waiting call outlives the client and its gateway's memory",
    needs: "client-tools",
  },
  {
    id: "tool.client-first-wins",
    title: "The first reply to a call wins, a later one is a conflict",
    needs: "client-tools",
  },
  { id: "tool.client-subagent", title: "A subagent calls the client, in its own session", needs: "client-tools" },
  { id: "tool.client-resumed", title: "A new process of the agent knows the client's tools", needs: "client-tools" },
  { id: "tool.client-forked", title: "A fork knows the client's tools", needs: "client-tools" },
  { id: "tool.client-permission", title: "A call of the client is asked for before", only: "claude" },
  { id: "session.resume", title: "Resume starts the agent without a prompt", needs: "resume" },
  { id: "session.history-lost", title: "A lost history is a clear error, and the next prompt works", needs: "resume" },
  {
    id: "session.archive",
    title: "An archived session is listed when asked for, and comes back with a prompt",
    test: "test/unit/session/commands.test.ts",
  },
  {
    id: "session.imported",
    title: "What the agent's own program kept is imported, and a prompt goes on with it",
    needs: "resume",
    test: "test/integration/transcripts/import.test.ts",
  },
  {
    id: "session.attached",
    title: "A session that runs in a terminal is shown as it goes",
    needs: "resume",
    test: "test/integration/transcripts/attach.test.ts",
  },
  { id: "session.fork", title: "A fork knows the history and goes its own way", needs: "fork" },
  { id: "session.fork-from-message", title: "A fork knows only what came before the message", needs: "fork" },
  { id: "mode.set", title: "The mode changes between turns" },
  { id: "mode.set-while-running", title: "The mode changes in a turn" },
  {
    id: "option.refused",
    title: "An option that the agent refuses is an error, and is not shown as set",
    only: "claude",
  },
  { id: "mode.unsupported", title: "A mode the agent lacks is refused, and the old one stays" },
  { id: "mode.bypassPermissions", title: "Nothing is asked" },
  { id: "model.set", title: "The model changes between turns" },

  { id: "question.in-bypass-mode", title: "Questions are asked also where permissions are bypassed", only: "claude" },
  { id: "plan.approved", title: "An approved plan is carried out", only: "claude" },
  { id: "plan.mode", title: "The approval of a plan chooses the mode to go on in", only: "claude" },
  { id: "plan.rejected", title: "A plan goes back with a remark", only: "claude" },
  { id: "plan.entered", title: "The agent enters plan mode by itself", only: "claude" },
  { id: "subagent.survives-abort", title: "A background subagent survives an abort of its parent", only: "claude" },
  { id: "todo.incremental", title: "Tasks change one by one", only: "claude" },
  { id: "todo.whole", title: "The list is written as a whole", only: "claude" },
  { id: "todo.shared", title: "Subagents share the list", only: "claude" },
  { id: "todo.enabled", title: "Todo tools are enabled where the model has none", only: "claude" },
  { id: "turn.own", title: "A turn that nobody prompted has its origin", only: "claude" },
  { id: "tool.background", title: "A command runs beside the conversation", only: "claude" },
  { id: "tool.background-stopped", title: "A background command is stopped", only: "claude" },
  {
    id: "tool.background-output",
    title: "What a background command writes, and how it ends, is on the session",
    only: "claude",
  },
  { id: "tool.saved-output", title: "An output that is too large for the model is on the tool, whole", only: "claude" },
  { id: "tool.progress", title: "A silent tool says that it is alive", only: "claude" },
  { id: "tool.slow", title: "A slow command counts as a task", only: "claude" },
  { id: "session.clear", title: "The conversation is cleared, the session stays", only: "claude" },
  { id: "session.title", title: "A title that the agent gives is on the session", only: "claude" },
  { id: "command.output", title: "The output of a local command is synthetic text", only: "claude" },
  { id: "command.unknown", title: "An unknown command goes to the model", only: "claude" },
  { id: "hook.denies", title: "A hook denies a tool", only: "claude" },
  { id: "hook.allows", title: "A hook allows a tool", only: "claude" },
  { id: "hook.asks", title: "A hook has a person asked", only: "claude" },
  { id: "hook.defers", title: "A call that a hook defers is asked for later and stays one tool part", only: "claude" },
  { id: "hook.defers-again", title: "A call that is deferred again fails, and nothing goes round", only: "claude" },
  {
    id: "hook.defers-left",
    title: "A deferred call whose turn is over is not taken up by the next process",
    only: "claude",
  },
  { id: "hook.defers-in-subagent", title: "A call that a hook defers in a subagent fails there", only: "claude" },
  { id: "hook.stop", title: "A hook lets the agent go on", only: "claude" },

  { id: "tool.output-streaming", title: "The output of a tool that runs streams into its part", only: "codex" },
  {
    id: "tool.outlives-turn",
    title: "A command that outlives its turn is closed as running in the background",
    only: "codex",
  },
  { id: "tool.invisible", title: "A call that the agent tells nobody of costs nothing but its part", only: "codex" },
  {
    id: "tool.in-program",
    title: "A call made by a program that the model wrote is a call like any other",
    only: "codex",
  },
  { id: "text.phases", title: "A comment on the way and the final answer are told apart", only: "codex" },
  { id: "text.by-tool", title: "A message that the model sends by a tool is a text", only: "codex" },
  { id: "turn.ids-come-again", title: "Ids that come again in a later turn name other parts", only: "codex" },
  { id: "turn.diff", title: "What a turn changed in all is on the session", only: "codex" },
  { id: "plan.text", title: "A plan is a text of its own", only: "codex" },
  { id: "abort.starting", title: "Abort before the agent is up: the prompt is never sent", only: "codex" },
  { id: "permission.option", title: "The agent's own choices are options of the ask", only: "codex" },
  {
    id: "permission.asked-by-user-settings",
    title: "A rule in the user's settings asks for what would run",
    only: "codex",
  },
  { id: "permission.requested-by-model", title: "The model asks for rights without a tool", only: "codex" },
  { id: "process.bad-config", title: "A configuration that cannot be read is told as the turn's error", only: "codex" },
  { id: "mcp.missing-server", title: "A tool server that does not start costs no turn", only: "codex" },
  {
    id: "session.archive-native",
    title: "An archived session is archived in the agent's own list, too",
    only: "codex",
  },
  { id: "model.list", title: "The agent's models and their efforts are on the session", only: "codex" },
  { id: "mode.default", title: "Edits and commands ask", only: "codex" },
  { id: "mode.safe-yolo", title: "Nothing is asked, and nothing leaves the sandbox", only: "codex" },
  { id: "session.resume-policy", title: "A resumed session has the sandbox of its mode", only: "codex" },
  { id: "permission.stdin", title: "Input to a command that runs is asked for beside its part", only: "codex" },
  { id: "tool.sleep", title: "A pause of the model is a tool", only: "codex" },
  { id: "usage.context", title: "How full the context is, and how large, is on the session", only: "codex" },
  { id: "retry.network", title: "An API that is tried for ever shows each attempt and its reason", only: "codex" },
  { id: "option.set", title: "An option of the agent is changed between two turns", only: "codex" },

  { id: "option.agent", title: "An agent of the user's own takes the place of the usual one", only: "opencode" },
  {
    id: "permission.user-denial-kept",
    title: "What the user's own configuration denies stays denied in every mode",
    only: "opencode",
  },
  {
    id: "permission.user-pattern-kept",
    title: "What the user's own configuration says of a pattern holds in a mode that asks",
    only: "opencode",
  },
  { id: "permission.outside-directory", title: "A file outside of the project is asked for", only: "opencode" },
  { id: "session.title-found", title: "The title that the agent finds is on the session", only: "opencode" },
  {
    id: "stream.reopened",
    title: "A break of the agent's stream of events loses nothing",
    only: "opencode",
    test: "test/unit/adapters/opencode/asks.test.ts",
  },
];

export const WAIVERS: readonly Waiver[] = [
  { requirement: "mode.unsupported", adapter: "codex", reason: "Every mode of the wire has a counterpart." },
  {
    requirement: "mode.set-while-running",
    adapter: "codex",
    reason: "The policy of a running turn is fixed; a new mode holds from the next turn on.",
  },
  {
    requirement: "question.multiple",
    adapter: "codex",
    reason:
      "Codex asks for one option; a server's form with several is in test/unit/adapters/shared/elicitation-form.test.ts.",
  },
  {
    requirement: "tool.input-streaming",
    adapter: "codex",
    reason: "The app-server shows a call when its input is whole.",
  },
  {
    requirement: "tool.unknown",
    adapter: "codex",
    reason: "A call of an unknown tool is told to the model alone: see tool.invisible.",
  },
  {
    requirement: "tool.invalid-input",
    adapter: "codex",
    reason: "A call with a wrong input is told to the model alone: see tool.invisible.",
  },
  {
    requirement: "tool.unparsable-input",
    adapter: "codex",
    reason: "A call whose input is no JSON is told to the model alone: see tool.invisible.",
  },
  {
    requirement: "tool.abandoned",
    adapter: "codex",
    reason: "A call whose input was cut off was never shown: the app-server shows it when it is whole.",
  },
  {
    requirement: "tool.client-subagent",
    adapter: "codex",
    reason: "The app-server gives a subagent none of the client's tools.",
  },
  { requirement: "retry.non-streaming", adapter: "codex", reason: "The CLI has no request that does not stream." },
  ...opencodeWaivers({
    "text.without-deltas": "The server always streams.",
    "tool.input-streaming": "The server tells a call when its input is whole.",
    "tool.search": "It searches with a program that it downloads first, and scenarios have no network.",
    "turn.continued": "It ends the turn at a limit.",
    "error.output-length":
      "A response that hits the limit ends the turn as `length`, without an error: see turn.finish-length.",
    "error.network":
      "It tries again without an end, which shows as the status: see retry.status; the error is in test/unit/adapters/opencode/small-parts.test.ts.",
    "error.context-overflow":
      "It compacts by itself and goes on; the error is in test/unit/adapters/opencode/small-parts.test.ts.",
    "retry.non-streaming": "It has no request that does not stream.",
    "mode.changed-by-agent": "It never changes its agent by itself.",
    "mode.set-while-running": "A mode is what the server was started with; a new one holds from the next prompt on.",
    "subagent.background": "It waits for its subagents, unless an experiment of its own is switched on.",
    "subagent.outlives-turn": "A subagent ends before the call that began it.",
    "mcp.elicitation": "It does not offer elicitation to its tool servers.",
  }),
  {
    requirement: "text.without-deltas",
    adapter: "acp",
    reason: "Agents that tell a text whole tell it as one chunk: there is no other form.",
  },
  {
    requirement: "text.abandoned",
    adapter: "acp",
    reason: "The protocol does not say that a response was cut and is told again.",
  },
  {
    requirement: "text.kept",
    adapter: "acp",
    reason: "The protocol does not say that a response was cut and is told again.",
  },
  {
    requirement: "tool.invalid-input",
    adapter: "acp",
    reason: "What is wrong with a call is the agent's business: it is a call that failed, as in tool.error.",
  },
  {
    requirement: "tool.unparsable-input",
    adapter: "acp",
    reason: "An agent tells a call's input when it has read it; one that it cannot read it does not tell.",
  },
  {
    requirement: "permission.reject-message",
    adapter: "acp",
    reason: "The protocol's answer to a permission has no place for a reason; it is kept on the part.",
  },
  {
    requirement: "permission.denied-by-mode",
    adapter: "acp",
    reason: "What a mode denies an agent fails or does not call, as in tool.error; it does not say why.",
  },
  {
    requirement: "mode.plan",
    adapter: "acp",
    reason:
      "What a mode does is the agent's business; that it is asked for is in test/unit/adapters/acp/small-parts.test.ts.",
  },
  {
    requirement: "mode.read-only",
    adapter: "acp",
    reason: "No agent has a mode that only reads: plan stands for it where it is one, and elsewhere it is refused.",
  },
  {
    requirement: "turn.continued",
    adapter: "acp",
    reason: "An agent that goes on by itself does not say so: it is the same turn.",
  },
  {
    requirement: "retry.status",
    adapter: "acp",
    reason: "The protocol does not say that a request is tried again: a silent agent is marked as stalled.",
  },
  {
    requirement: "retry.stream-error",
    adapter: "acp",
    reason: "The protocol does not say that a request is tried again.",
  },
  {
    requirement: "retry.stream-cut",
    adapter: "acp",
    reason: "The protocol does not say that a request is tried again.",
  },
  {
    requirement: "retry.non-streaming",
    adapter: "acp",
    reason: "The protocol does not say that a request is tried again.",
  },
  {
    requirement: "subagent.refused",
    adapter: "acp",
    reason: "An agent announces a subagent when it has started.",
  },
  {
    requirement: "compaction.manual",
    adapter: "acp",
    reason: "A command of the agent, and so a prompt like any other; what it does is told as in compaction.auto.",
  },
  {
    requirement: "compaction.empty",
    adapter: "acp",
    reason: "A command of the agent, and so a prompt like any other.",
  },
  {
    requirement: "session.fork-from-message",
    adapter: "acp",
    reason: "An agent copies a session as a whole; a part of it is refused.",
  },
];

function shownBy(adapter: string, test: string, requirements: readonly string[]): Shown[] {
  return requirements.map((requirement) => ({ requirement, adapter, test }));
}

/**
 * What ACP agents cannot all be made to show is shown by an agent that is built with the protocol's SDK, or by the messages
 * that an agent would write.
 */
export const SHOWN_BY_TESTS: readonly Shown[] = [
  ...shownBy("acp", "test/unit/adapters/acp/turns.test.ts", [
    "reasoning.multi-block",
    "tool.between-texts",
    "tool.sequence",
    "error.after-tool",
    "usage.accounted",
    "process.restart-without-history",
    "abort.subagent",
  ]),
  ...shownBy("acp", "test/unit/adapters/acp/tools.test.ts", [
    "tool.search",
    "tool.input-streaming",
    "tool.abandoned",
    "abort.mid-tool-input",
    "permission.reject-interrupt",
    "permission.decided-by-agent",
    "subagent.parallel",
    "subagent.nested",
    "subagent.failed",
    "subagent.aborted",
    "subagent.stopped",
    "subagent.resumed",
  ]),
  ...shownBy("acp", "test/unit/adapters/acp/small-parts.test.ts", [
    "mode.changed-by-agent",
    "mode.set-while-running",
    "error.model",
    "error.rate-limit",
    "error.overloaded",
    "error.network",
    "error.usage-limit",
    "error.context-overflow",
    "error.output-length",
    "error.refusal",
  ]),
  ...shownBy("acp", "test/integration/acp/sdk-agent.test.ts", [
    "text.multi-block",
    "tool.error",
    "permission.always-is-narrow",
    "permission.always-unblocks-sibling",
    "permission.concurrent",
    "permission.any-order",
    "permission.reject-cascades",
    "question.several",
    "question.multiple",
    "question.unanswered",
    "question.rejected",
    "subagent.background",
    "subagent.outlives-turn",
    "subagent.rules",
    "todo.removed",
    "compaction.auto",
    "image.result",
    "mcp.image",
    "mcp.elicitation",
  ]),
  ...shownBy("acp", "test/integration/acp/sdk-sessions.test.ts", [
    "turn.finish-length",
    "turn.finish-refusal",
    "turn.queue-order",
    "session.history-lost",
    "file.prompt",
  ]),
];

/** Reasons by requirement. */
function opencodeWaivers(reasons: Readonly<Record<string, string>>): Waiver[] {
  return Object.entries(reasons).map(([requirement, reason]) => ({ requirement, adapter: "opencode", reason }));
}
