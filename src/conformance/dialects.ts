import { ADAPTERS, type AnyAdapter } from "../../adapters/index.js";
import { GatewayError } from "../gateway-error.js";

/** Something that can be normalized: whose adapter reads it, and what it is. */
export interface Dialect {
  readonly adapter: AnyAdapter;
  readonly summary: string;
}

/** Every input `normalize --from` takes, by name. */
export const DIALECTS: Readonly<Record<string, Dialect>> = Object.fromEntries(
  Object.values(ADAPTERS).map((adapter) => [
    adapter.id,
    { adapter, summary: `${adapter.name}: its native stream, or a recording of it` },
  ]),
);

export function dialectOf(name: string): Dialect {
  const dialect = Object.hasOwn(DIALECTS, name) ? DIALECTS[name] : undefined;
  if (dialect) return dialect;
  throw new GatewayError("not_found", `there is no dialect "${name}"`, {
    hint: `there are: ${Object.keys(DIALECTS).join(", ")}`,
  });
}
