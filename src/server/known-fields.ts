import type { z } from "zod";

/** The part of zod's definitions that is walked here. */
interface Definition {
  readonly type: string;
  readonly shape?: Record<string, z.ZodType>;
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly discriminator?: string;
}

const definitionOf = (schema: z.ZodType): Definition => schema.def as unknown as Definition;

/** What kind of value a schema takes once it may not be left out: `string`, `number` … */
export function leafType(schema: z.ZodType): string {
  const { innerType, type } = definitionOf(schema);
  return innerType ? leafType(innerType) : type;
}

/** The fields that the object at `path` may have, or none when the schema has no object there. */
export function knownFields(schema: z.ZodType, path: readonly PropertyKey[], value: unknown): readonly string[] {
  const definition = definitionOf(schema);
  if (definition.innerType) return knownFields(definition.innerType, path, value);
  if (definition.options) return knownFieldsOfUnion(definition, path, value);
  const [key, ...rest] = path;
  if (key === undefined) return Object.keys(definition.shape ?? {});
  const next = definition.shape?.[String(key)] ?? definition.element;
  return next ? knownFields(next, rest, valueAt(value, key)) : [];
}

function knownFieldsOfUnion(union: Definition, path: readonly PropertyKey[], value: unknown): readonly string[] {
  const { discriminator, options = [] } = union;
  if (discriminator === undefined) return [];
  const chosen = options.find((option) => {
    const tag = definitionOf(option).shape?.[discriminator];
    return tag?.safeParse(valueAt(value, discriminator)).success;
  });
  return chosen ? knownFields(chosen, path, value) : [];
}

function valueAt(value: unknown, key: PropertyKey): unknown {
  return typeof value === "object" && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined;
}
