import type { ClientRequests } from "./native-types.js";
import type { CodexDraft, Pending } from "./state.js";

/** Our requests are numbered from the state, so that a replay sends the same; the app-server echoes text ids. */
export function sendRequest<Method extends keyof ClientRequests>(
  draft: CodexDraft,
  method: Method,
  params: ClientRequests[Method],
  pending?: Pending,
): void {
  draft.state.requests += 1;
  const id = `aw-${draft.state.requests}`;
  if (pending) draft.state.pending[id] = pending;
  send(draft, { id, method, params });
}

export function sendNotification(draft: CodexDraft, method: string): void {
  send(draft, { method });
}

export function sendAnswer(draft: CodexDraft, token: string, result: unknown): void {
  send(draft, { token, result });
}

export function sendRefusal(draft: CodexDraft, token: string, code: number, message: string): void {
  send(draft, { token, error: { code, message } });
}

function send(draft: CodexDraft, frame: unknown): void {
  draft.outputs.push({ kind: "send", frame });
}
