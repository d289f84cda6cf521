import type { SessionSeed } from "../contract.js";
import type { SessionPast } from "../transcript-reader.js";
import type { ClaudeState } from "./state.js";
import type { TodoEntry } from "./todos.js";
import { init } from "./translate.js";

/** A session that began without the gateway: the next prompt resumes the CLI's own. */
export function adopt(seed: SessionSeed, past: SessionPast): ClaudeState {
  const { state } = init({ ...seed, idSeed: past.idSeed });
  const { session, lastCreated, lastUserMessageID } = past;
  Object.assign(state.main.transcript, { session, lastCreated, lastUserMessageID });
  const { todos } = past.own as { todos: TodoEntry[] };
  return adoptState({ ...state, side: { ...state.side, todos } }, past.nativeID);
}

/** The state that knows the CLI's session, and that losing it would lose a history. */
export function adoptState(state: ClaudeState, nativeID: string): ClaudeState {
  return { ...state, side: { ...state.side, nativeID, hasHistory: true } };
}
