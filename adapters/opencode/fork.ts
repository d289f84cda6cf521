import type { MessageWithParts } from "../../schemas/index.js";
import { LaunchRefused, type Output, type SessionSeed, type Step } from "../contract.js";
import { copyHistory } from "../shared/copy-history.js";
import { isRecord } from "../shared/is-record.js";
import type { OpencodeState } from "./state.js";
import { init } from "./translate.js";

/** A session that goes on from a copy of the server's, up to the last answer of the history it is given. */
export function fork(
  state: OpencodeState,
  seed: SessionSeed,
  history: readonly MessageWithParts[],
): Step<OpencodeState> {
  if (state.nativeID === null) throw new LaunchRefused("sessionID", "the session has no conversation to fork yet");
  const { state: fresh, outputs: created } = init(seed);
  const outputs: Output[] = [...created];
  copyHistory({ at: seed.at, transcript: fresh.main.transcript, outputs }, history);
  Object.assign(fresh, { mcpServers: state.mcpServers, mcpNames: state.mcpNames, model: state.model });
  const at = lastMessage(history);
  // Nothing of what is taken along is in the server's session: a new one begins, for the old one knows more.
  if (at !== undefined) Object.assign(fresh, { nativeID: state.nativeID, fork: { at } });
  return { state: fresh, outputs };
}

function lastMessage(history: readonly MessageWithParts[]): string | undefined {
  const natives = history.map(({ info }) => (info.role === "assistant" ? info.metadata?.native : undefined));
  return natives
    .flatMap((native) => (isRecord(native) && typeof native.messageID === "string" ? [native.messageID] : []))
    .at(-1);
}
