/** Control characters, line separators, and what turns the direction of writing: nothing an agent wrote drives the terminal. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text that others wrote, as one line for a terminal: what cannot be seen is written as its number. */
export function printable(text: string): string {
  return text.replace(
    UNPRINTABLE,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}
