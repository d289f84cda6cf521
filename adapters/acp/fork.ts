import type { MessageWithParts } from "../../schemas/index.js";
import { LaunchRefused, type Output, type SessionSeed, type Step } from "../contract.js";
import { copyHistory } from "../shared/copy-history.js";
import type { AcpState } from "./state.js";
import { init } from "./translate.js";

/** A session that goes on from a copy of the agent's own, which can only be copied as a whole. */
export function fork(state: AcpState, seed: SessionSeed, history: readonly MessageWithParts[]): Step<AcpState> {
  const { nativeID } = state.main;
  if (nativeID === null) throw new LaunchRefused("sessionID", "the session has no conversation to fork yet");
  const last = history.findLast(({ info }) => info.role === "user")?.info.id;
  if (history.length > 0 && last !== state.main.transcript.lastUserMessageID)
    throw new LaunchRefused("messageID", "the agent can only copy its whole conversation");
  const { state: fresh, outputs: created } = init(seed);
  const outputs: Output[] = [...created];
  copyHistory({ at: seed.at, transcript: fresh.main.transcript, outputs }, history);
  fresh.mcpServers = state.mcpServers;
  // Nothing of what is taken along is in the agent's session: a new one begins, for the old one knows more.
  if (history.length > 0) {
    fresh.main.nativeID = nativeID;
    Object.assign(fresh, { hasHistory: true, fork: true });
  }
  return { state: fresh, outputs };
}
