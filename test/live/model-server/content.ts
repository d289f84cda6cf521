type Json = Readonly<Record<string, unknown>>;

export function objectsIn(value: unknown): Json[] {
  if (!Array.isArray(value)) return [];
  return value.filter((entry): entry is Json => typeof entry === "object" && entry !== null);
}

/** The text of a content that is one, or a list of parts of which some are. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return objectsIn(content)
    .map((part) => (typeof part.text === "string" ? part.text : ""))
    .join("\n");
}
