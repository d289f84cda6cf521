import { z } from "zod";
import * as wire from "./index.js";

type Json = Record<string, unknown>;

/** Every schema with a name, in the order of the alphabet: what other programs may want to validate or generate from. */
const NAMED: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.entries<unknown>(wire)
    .filter((entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType)
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);

const registry = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id });

const options = { io: "input", target: "draft-2020-12", metadata: registry } as const;

/** One JSON Schema (2020-12) with every named type of the wire under `$defs`. */
export function buildJsonSchema(): Json {
  const { schemas } = z.toJSONSchema(registry, { ...options, uri: (id) => `#/$defs/${id}` });
  const defs = Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutIds(schema)]));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "agentwire",
    description: `The wire of agentwire, protocol version ${wire.PROTOCOL_VERSION}`,
    $defs: defs,
  };
}

/** Every named type as a reference below `prefix` finds it. */
export function buildComponentSchemas(prefix: string): unknown {
  return rewriteRefs(buildJsonSchema().$defs, prefix);
}

/** The JSON Schema of an unnamed schema, with named types as references below `prefix`. */
export function schemaWithRefs(schema: z.ZodType, prefix: string): Json {
  const { $defs, ...rest } = z.toJSONSchema(schema, { ...options }) as Json & { $defs?: Json };
  return rewriteRefs(withoutIds(rest), prefix) as Json;
}

function withoutIds(schema: unknown): Json {
  const { $schema, $id, id, ...rest } = schema as Json;
  return rest;
}

function rewriteRefs(value: unknown, prefix: string): unknown {
  if (Array.isArray(value)) return value.map((item) => rewriteRefs(item, prefix));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, child]) => [
    key,
    key === "$ref" && typeof child === "string" ? child.replace("#/$defs/", prefix) : rewriteRefs(child, prefix),
  ]);
  return Object.fromEntries(entries);
}
