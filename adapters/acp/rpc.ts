import type { AcpDraft, Pending } from "./state.js";

/** Our requests are numbered from the state, so that a replay sends the same. Returns the id. */
export function sendRequest(draft: AcpDraft, method: string, params: unknown, pending?: Pending): string {
  draft.state.requests += 1;
  const id = `aw-${draft.state.requests}`;
  if (pending) draft.state.pending[id] = pending;
  send(draft, { jsonrpc: "2.0", id, method, params });
  return id;
}

export function sendNotification(draft: AcpDraft, method: string, params: unknown): void {
  send(draft, { jsonrpc: "2.0", method, params });
}

export function sendAnswer(draft: AcpDraft, token: string, result: unknown): void {
  send(draft, { jsonrpc: "2.0", token, result });
}

export function sendRefusal(draft: AcpDraft, token: string, code: number, message: string): void {
  send(draft, { jsonrpc: "2.0", token, error: { code, message } });
}

function send(draft: AcpDraft, frame: unknown): void {
  draft.outputs.push({ kind: "send", frame });
}
