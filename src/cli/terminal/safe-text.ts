/** Sequences that a terminal obeys: CSI (colours, cursor), strings such as OSC (title, clipboard), and two-byte ones. */
const SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/g;
/** What is left of them when they come in pieces, and marks that turn the order of what is read around. */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Text of an agent as it may be shown: it cannot move the cursor, change colours or the title, or hide what it says. */
export function safeText(text: string): string {
  return text.replace(SEQUENCES, "").replace(CONTROLS, "");
}
