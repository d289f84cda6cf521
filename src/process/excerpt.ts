/** The beginning of a text for a diagnostic. Re-encoded, or the excerpt would keep the whole text in memory. */
export function excerpt(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const head = Buffer.from(text.slice(0, maxLength)).toString();
  return `${head}… (${text.length} characters)`;
}
