import { GatewayError } from "../gateway-error.js";

const MOST_LISTED = 10;

/** Whether a person may mean an id by a name: its beginning, with or without what kind of id it is, or its end. */
export function isNamed(id: string, name: string): boolean {
  const body = id.slice(id.indexOf("_") + 1);
  return name !== "" && (id.startsWith(name) || body.startsWith(name) || body.endsWith(name));
}

/** What a name means; undefined: nothing. A name that means several is an error that lists them. */
export function oneOf<T>(found: readonly T[], name: string, describe: (one: T) => string): T | undefined {
  if (found.length <= 1) return found[0];
  const listed = found.slice(0, MOST_LISTED).map((one) => `\n  ${describe(one)}`);
  const more = found.length > MOST_LISTED ? `\n  and ${found.length - MOST_LISTED} more` : "";
  throw new GatewayError("invalid_params", `"${name}" may be any of${listed.join("")}${more}`);
}
