import type { Conversation } from "./state.js";

/** An id that is used once in the session, from one that is used once in a turn, or should be. */
export function ownCallID({ opened, turns }: Conversation, name: string): string {
  const count = (opened[name] ?? 0) + 1;
  opened[name] = count;
  return `${turns}.${name}${count > 1 ? `#${count}` : ""}`;
}
