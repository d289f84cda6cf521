import type { MessageWithParts } from "../../schemas/index.js";
import { LaunchRefused, type Output, type SessionSeed, type Step } from "../contract.js";
import { copyHistory } from "../shared/copy-history.js";
import { isRecord } from "../shared/is-record.js";
import type { CodexState } from "./state.js";
import { init } from "./translate.js";

/** A session that goes on from a copy of the app-server's thread, up to the turn of the last answer it is given. */
export function fork(state: CodexState, seed: SessionSeed, history: readonly MessageWithParts[]): Step<CodexState> {
  if (state.nativeID === null) throw new LaunchRefused("sessionID", "the session has no conversation to fork yet");
  const { state: fresh, outputs: created } = init(seed);
  const outputs: Output[] = [...created];
  copyHistory({ at: seed.at, transcript: fresh.main.transcript, outputs }, history);
  fresh.mcpServers = state.mcpServers;
  fresh.tools = state.tools;
  const at = lastTurn(history);
  // Nothing of what is taken along is in the thread: a new one begins, for the old one knows more.
  if (at !== undefined) Object.assign(fresh, { nativeID: state.nativeID, hasHistory: true, fork: { at } });
  return { state: fresh, outputs };
}

/** A thread can be cut only behind a whole turn. */
function lastTurn(history: readonly MessageWithParts[]): string | undefined {
  const answers = history.map(({ info }) => (info.role === "assistant" ? info.metadata?.native : undefined));
  return answers
    .flatMap((native) => (isRecord(native) && typeof native.turnID === "string" ? [native.turnID] : []))
    .at(-1);
}
