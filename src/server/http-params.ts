import type { z } from "zod";
import { METHODS, type Method, pathParams, ROUTES, takesBody } from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import { leafType } from "./known-fields.js";

/** Where an HTTP request carries its parameters. */
export interface HttpSource {
  pathParam(name: string): string;
  /** By name, everything that was given under it. */
  readonly query: Readonly<Record<string, string[]>>;
  body(): Promise<unknown>;
}

/** The parameters of a request as JSON-RPC would carry them. They are not checked here: the one dispatch does that. */
export async function httpParams(method: Method, source: HttpSource): Promise<unknown> {
  const { verb, path } = ROUTES[method];
  const names = pathParams(path);
  const rest = takesBody(verb) ? await bodyParams(source) : queryParams(method, source.query);
  // What is no object is refused as it is.
  if (!isObject(rest)) return rest;
  for (const name of names) if (name in rest) throw givenTwice(name, path);
  return { ...rest, ...Object.fromEntries(names.map((name) => [name, source.pathParam(name)])) };
}

async function bodyParams({ query, body }: HttpSource): Promise<unknown> {
  const [stray] = Object.keys(query);
  if (stray !== undefined) {
    throw new GatewayError("invalid_params", `${stray.slice(0, 100)} belongs into the JSON body, not into the query`, {
      field: stray.slice(0, 100),
    });
  }
  const value = await body();
  return value === undefined ? {} : value;
}

function queryParams(method: Method, query: HttpSource["query"]): Record<string, unknown> {
  const shape: Record<string, z.ZodType> = METHODS[method].params.shape;
  return Object.fromEntries(
    Object.entries(query).map(([name, values]) => [
      name,
      values.length === 1 ? queryValue(Object.hasOwn(shape, name) ? shape[name] : undefined, values[0] ?? "") : values,
    ]),
  );
}

/** A query knows only texts. One that is no number stays a text, and is refused as one. */
function queryValue(schema: z.ZodType | undefined, value: string): unknown {
  const type = schema && leafType(schema);
  if (type === "number" && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (type === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}

function givenTwice(name: string, path: string): GatewayError {
  return new GatewayError("invalid_params", `${name} is given by the path ${path} and may not be given again`, {
    field: name,
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
