import type { Method, Params } from "../../schemas/index.js";
import { pathParams, ROUTES, takesBody } from "../../schemas/routes.js";

export interface HttpRequest {
  readonly method: string;
  /** The path and the query. */
  readonly target: string;
  readonly body?: string;
}

/** A request of `METHODS` as its route says. */
export function httpRequest<M extends Method>(method: M, params: Params<M>): HttpRequest {
  const { verb, path } = ROUTES[method];
  const given: Record<string, unknown> = { ...params };
  const names = pathParams(path);
  const target = names.reduce((text, name) => text.replace(`{${name}}`, encodeURIComponent(String(given[name]))), path);
  const rest = Object.entries(given).filter(([name, value]) => !names.includes(name) && value !== undefined);
  if (takesBody(verb)) return { method: verb, target, body: JSON.stringify(Object.fromEntries(rest)) };
  const query = new URLSearchParams(rest.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return { method: verb, target: query === "" ? target : `${target}?${query}` };
}
