import type { MessageWithParts } from "../../schemas/index.js";
import { LaunchRefused, type Output, type SessionSeed, type Step } from "../contract.js";
import { copyHistory } from "../shared/copy-history.js";
import { isRecord } from "./api-message.js";
import type { ClaudeState } from "./state.js";
import { init } from "./translate.js";

/** A session that goes on from a copy of the CLI's conversation, up to the last line of the history it is given. */
export function fork(state: ClaudeState, seed: SessionSeed, history: readonly MessageWithParts[]): Step<ClaudeState> {
  if (state.side.nativeID === null) throw new LaunchRefused("sessionID", "the session has no conversation to fork yet");
  const { state: fresh, outputs: created } = init(seed);
  const outputs: Output[] = [...created];
  copyHistory({ at: seed.at, transcript: fresh.main.transcript, outputs }, history);
  const at = lastLine(history);
  fresh.side.nativeID = state.side.nativeID;
  fresh.side.hasHistory = true;
  fresh.side.fork = at === undefined ? {} : { at };
  fresh.side.todos = state.side.todos.map((todo) => ({ ...todo }));
  return { state: fresh, outputs };
}

/** The CLI's id of the last line of the last answer. */
function lastLine(history: readonly MessageWithParts[]): string | undefined {
  const native = history.findLast(({ info }) => info.role === "assistant")?.info.metadata?.native;
  return isRecord(native) && typeof native.uuid === "string" ? native.uuid : undefined;
}
