const ESC = "\\u001b";
const BEL = "\\u0007";

/** OSC, DCS, PM, APC and SOS strings: up to BEL or ST. */
const STRING_SEQUENCE = `${ESC}[\\]PX^_][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)`;
/** A title whose end is missing: it can't be told from text, so it is taken to reach up to what may open JSON. */
const OPEN_STRING = `${ESC}\\][^${BEL}${ESC}{[]*`;
/** `{` would be a legal last byte of a control sequence; no program uses it, and JSON begins with it. */
const CONTROL_SEQUENCE = `${ESC}\\[[0-?]*[ -/]*[A-Za-z@\`~]`;
const SHORT_SEQUENCE = `${ESC}[ -/]*[0-Z\\\\^-z]`;
const SEQUENCE = [STRING_SEQUENCE, OPEN_STRING, CONTROL_SEQUENCE, SHORT_SEQUENCE].join("|");

/** The 8-bit forms of CSI and OSC, the byte order mark, control characters and blanks. */
const LEADING_ONLY = `\\u009b[0-?]*[ -/]*[A-Za-z@\`~]|\\u009d[^${BEL}\\u009c]*[${BEL}\\u009c]|[\\ufeff\\s\\u0000-\\u0020\\u007f]`;

const LEADING = new RegExp(`^(?:${SEQUENCE}|${LEADING_ONLY})+`);
const ANYWHERE = new RegExp(SEQUENCE, "g");

/** How many characters at the start of a line only drive a terminal (titles, cursor, colours) or are blank. */
export function measureTerminalPrefix(line: string): number {
  return LEADING.exec(line)?.[0].length ?? 0;
}

/** The line without terminal sequences. Harmless to JSON, which can't hold a raw ESC. */
export function removeTerminalSequences(line: string): string {
  return line.replace(ANYWHERE, "");
}
