/**
 * A deep copy of plain JSON that shares its strings. A step works on such a copy, so the state it was given is never
 * changed; a state holds what is open, so the copy is small whatever the length of the conversation.
 */
export function cloneJson<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(cloneJson) as T;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) copy[key] = cloneJson((value as Record<string, unknown>)[key]);
  return copy as T;
}
