import { z } from "zod";
import { sendRequest } from "./control.js";
import { ControlRequestFrame, type ControlResponseFrame } from "./frame.js";
import { onAskWithdrawn, onControlRequest, openAsks } from "./permissions.js";
import type { Ask, ClaudeDraft } from "./state.js";
import { initializeRequest } from "./turn.js";

const Waiting = z.array(ControlRequestFrame);

/** A gateway that comes back to a CLI which went on without it asks again what `initialize` tells: what waits right now. */
export function onReattached(draft: ClaudeDraft): void {
  if (draft.state.process !== "running") return;
  draft.state.recheck = { requestID: sendRequest(draft, initializeRequest(draft)), answered: [] };
}

/**
 * What we think waits must wait for the CLI too, and the other way round. What was answered since we asked may still be on
 * its list.
 */
export function onRechecked(draft: ClaudeDraft, { response }: ControlResponseFrame): void {
  const { recheck } = draft.state;
  if (recheck === null || response.request_id !== recheck.requestID) return;
  draft.state.recheck = null;
  const { data: listed } = Waiting.safeParse(response.pending_permission_requests);
  if (!listed) return;
  const waiting = new Set(listed.map((request) => request.request_id));
  for (const ask of openAsks(draft)) {
    if (isListed(ask) && !waiting.has(ask.requestID)) onAskWithdrawn(draft, ask.requestID);
  }
  for (const request of listed) {
    const known = openAsks(draft).some(({ requestID }) => requestID === request.request_id);
    if (!known && !recheck.answered.includes(request.request_id)) onControlRequest(draft, request);
  }
}

/** Forms and calls of the client's tools are requests of another kind. */
function isListed({ form, rpcID }: Ask): boolean {
  return form === undefined && rpcID === undefined;
}
