import type { MessageWithParts } from "../../schemas/index.js";
import { LaunchRefused, type Output, type SessionSeed, type Step } from "../contract.js";
import { cloneJson } from "../shared/clone-json.js";
import { copyHistory } from "../shared/copy-history.js";
import { isRecord } from "../shared/is-record.js";
import { updateNative } from "../shared/session-record.js";
import type { Draft } from "../shared/transcript.js";
import type { ClaudeState } from "./state.js";
import { emitTodos } from "./todos.js";
import { init } from "./translate.js";

/** A session that goes on from a copy of the CLI's conversation, up to the last line of the history it is given. */
export function fork(state: ClaudeState, seed: SessionSeed, history: readonly MessageWithParts[]): Step<ClaudeState> {
  if (state.side.nativeID === null) throw new LaunchRefused("sessionID", "the session has no conversation to fork yet");
  const { state: fresh, outputs: created } = init(seed);
  const outputs: Output[] = [...created];
  const draft = { at: seed.at, transcript: fresh.main.transcript, outputs };
  copyHistory(draft, history);
  copySettings(draft, state, fresh);
  const at = lastLine(history);
  // Nothing of what is taken along is in the CLI's conversation: it begins a new one, for the old one knows more.
  if (at !== undefined) {
    const { nativeID, leftDeferred } = state.side;
    Object.assign(fresh.side, { nativeID, hasHistory: true, fork: { at }, leftDeferred: cloneJson(leftDeferred) });
  }
  return { state: fresh, outputs };
}

/** What is no part of the conversation and goes on with it. */
function copySettings(draft: Draft, { main, side }: ClaudeState, fresh: ClaudeState): void {
  fresh.side.mcpServers = side.mcpServers;
  fresh.side.tools = side.tools;
  const native = main.transcript.session.metadata?.native;
  if (isRecord(native) && native.maxThinkingTokens !== undefined)
    updateNative(draft, { maxThinkingTokens: native.maxThinkingTokens });
  fresh.side.todos = side.todos.map((todo) => ({ ...todo }));
  if (side.todos.length > 0) emitTodos(draft, fresh.side.todos);
}

/** The CLI's id of the last line that it has of an answer: one that was cut off before its first line has none. */
function lastLine(history: readonly MessageWithParts[]): string | undefined {
  const lines = history.map(({ info }) => (info.role === "assistant" ? info.metadata?.native : undefined));
  return lines.flatMap((native) => (isRecord(native) && typeof native.uuid === "string" ? [native.uuid] : [])).at(-1);
}
