import { printable } from "./printable.js";

const LEVELS: Readonly<Record<number, string>> = { 10: "trace", 20: "debug", 30: "info", 40: "warn", 50: "error" };

const IS_PLAIN = /^[^\s"=]+$/;

interface LoggedError {
  readonly type?: unknown;
  readonly message?: unknown;
  readonly stack?: unknown;
}

/** A line of the log as a person reads it: time, level, message, session, and the rest as `key=value`. */
export function formatLogLine(json: string): string {
  const { time, level, msg = "", sessionID, ...rest } = JSON.parse(json) as Readonly<Record<string, unknown>>;
  const fields = Object.entries(sessionID === undefined ? rest : { sessionID, ...rest });
  const head = [timeOf(time), (LEVELS[Number(level)] ?? String(level)).padEnd(5), printable(String(msg))];
  return `${[...head, ...fields.map(([name, value]) => `${printable(name)}=${textOf(value)}`)].join(" ")}\n`;
}

/** The time of day, as the clock on the wall shows it. */
function timeOf(time: unknown): string {
  const date = new Date(Number(time));
  const two = (value: number) => String(value).padStart(2, "0");
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
  return `${clock}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

function textOf(value: unknown): string {
  const text = isError(value) ? errorText(value) : typeof value === "string" ? value : JSON.stringify(value);
  const shown = printable(text);
  return shown === text && IS_PLAIN.test(text) ? text : printable(JSON.stringify(text));
}

function isError(value: unknown): value is LoggedError {
  return typeof value === "object" && value !== null && "stack" in value;
}

/** With the place it was thrown at; the whole stack is in the JSON form. */
function errorText({ type, message, stack }: LoggedError): string {
  const place = /\n\s+at (.+)/.exec(String(stack))?.[1];
  return `${type}: ${message}${place === undefined ? "" : ` (at ${place})`}`;
}
