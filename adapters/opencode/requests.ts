import type { HttpRequest } from "../contract.js";
import type { OpencodeDraft, Pending } from "./state.js";

/** Sends a request whose answer is told by its token. */
export function sendRequest(
  draft: OpencodeDraft,
  method: HttpRequest["method"],
  path: string,
  body: unknown,
  pending: Pending,
): void {
  const { state, outputs } = draft;
  state.requests += 1;
  const token = `${pending.kind}-${state.requests}`;
  state.pending[token] = pending;
  const frame: HttpRequest = { token, method, path, ...(body !== undefined && { body }) };
  outputs.push({ kind: "send", frame });
}

/** The path of a thread's session. */
export function sessionPath(nativeID: string | null, rest = ""): string {
  return `/session/${encodeURIComponent(nativeID ?? "")}${rest}`;
}

export function isPending({ state }: OpencodeDraft, ...kinds: Pending["kind"][]): boolean {
  return Object.values(state.pending).some(({ kind }) => kinds.includes(kind));
}
