import type { Variables } from "./process/environment.js";

/** Takes the secrets out of a text that is about to be shown or kept. */
export type Redact = (text: string) => string;

export interface RedactorOptions {
  /** Values that are secret wherever they stand. */
  readonly secrets?: readonly string[];
  /** What agents inherit: values whose name says that they are secret. */
  readonly env?: Variables;
}

const REDACTED = "[redacted]";

const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL/i;
/** `DEBUG_TOKENS=1`: shorter values are no secrets, and would be found in every text. */
const MIN_VALUE_LENGTH = 8;

/**
 * A text may be JSON, or hold some: a value ends at the first quote or backslash, and only what stands in quotes is replaced
 * behind a name in quotes. Nothing here is tried twice at one place, so that a long line costs as much as it is long.
 */
const QUOTE = `\\\\*["']`;
const IN_QUOTES = `[^"'\\\\]+`;
const BARE = `[^\\s"'\\\\&,;(){}<>[\\]]+`;

/** `name=value`, `name: value`, `"name": "value"`; `keep` stands before the value and stays. */
const named = (name: string, keep = ""): RegExp =>
  new RegExp(
    `((?:${name})(?:${QUOTE}\\s*[:=]\\s*${QUOTE}|\\s*[:=]\\s*${QUOTE})${keep})${IN_QUOTES}|` +
      `((?:${name})\\s*[:=]\\s*${keep})${BARE}`,
    "gi",
  );

const NAMES =
  "api[_-]?key|access[_-]?key|secret[_-]?key|private[_-]?key|signing[_-]?key|token|secret|passw(?:or)?d|passphrase";

const SHAPES = [
  "\\b[spr]k[-_][\\w-]{16,}",
  "\\bgh[oprsu]_\\w{20,}|\\bgithub_pat_\\w{20,}|\\bglpat-[\\w-]{16,}",
  "\\bxox[abeprs]-[\\w-]{10,}",
  "\\bA(?:KIA|SIA)[A-Z0-9]{16}\\b",
  "\\bAIza[\\w-]{30,}",
  "\\beyJ[\\w-]{8,}\\.[\\w-]{8,}(?:\\.[\\w-]*)?",
  `-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:(?!-----END)[^"])*(?:-----END [A-Z ]{0,40}-----)?`,
];

const KEPT_BEFORE = `$1$2${REDACTED}`;

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(SHAPES.join("|"), "g"), REDACTED],
  // What a browser offers instead of a header.
  [/(agentwire\.token\.)[\w.~+/=-]+/g, `$1${REDACTED}`],
  [named("authorization", "(?:(?:bearer|basic|digest|token|negotiate)\\s+)?"), KEPT_BEFORE],
  [/\b(bearer\s+)(?=[\w.~+/=-]*\d|[\w.~+/=-]{20})[\w.~+/=-]+/gi, `$1${REDACTED}`],
  [named("(?:set-)?cookie"), KEPT_BEFORE],
  [named(NAMES), KEPT_BEFORE],
  [new RegExp(`(--[\\w-]{0,30}?(?:${NAMES})\\s+)${BARE}`, "gi"), `$1${REDACTED}`],
  // The password of a URL.
  [/(:\/\/[^\s/:@"'\\]{0,100}:)[^\s/@"'\\]{1,200}(?=@)/g, `$1${REDACTED}`],
];

/** Knows secrets by their value, by what stands before them, and by their shape. Costs some microseconds a line. */
export function createRedactor({ secrets = [], env = process.env }: RedactorOptions = {}): Redact {
  const values = valuePattern([...secrets, ...secretValues(env)]);
  return (text) => {
    const known = values ? text.replace(values, REDACTED) : text;
    return PATTERNS.reduce((rest, [pattern, kept]) => rest.replace(pattern, kept), known);
  };
}

const IS_SECRET_NAME = new RegExp(`(?:${NAMES}|authorization|cookie)$`, "i");

/**
 * A JSON text without the secrets in its strings, and JSON in any case. Searched as a whole, it would be taken apart where
 * a string ends like the name of a secret.
 */
export function redactJson(json: string, redact: Redact): string {
  const value: unknown = JSON.parse(json, (name, value) => {
    if (typeof value !== "string") return value;
    return IS_SECRET_NAME.test(name) ? REDACTED : redact(value);
  });
  return JSON.stringify(value);
}

function secretValues(env: Variables): string[] {
  return Object.entries(env).flatMap(([name, value = ""]) => {
    return SECRET_NAME.test(name) && value.length >= MIN_VALUE_LENGTH ? [value] : [];
  });
}

/** As they are and as they stand in JSON; the longest first, because one may begin another. */
function valuePattern(values: readonly string[]): RegExp | undefined {
  const forms = new Set(values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]));
  forms.delete("");
  if (forms.size === 0) return undefined;
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|"), "g");
}
