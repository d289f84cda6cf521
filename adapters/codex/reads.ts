import type { z } from "zod";

type Taken<Native, Schemas> = {
  [Name in keyof Schemas]: Name extends keyof Native
    ? Schemas[Name] extends z.ZodType
      ? Native[Name] extends z.input<Schemas[Name]>
        ? unknown
        : "this schema does not take all that the app-server may send"
      : never
    : "the app-server has nothing of this name";
};

/** Schemas by name that take whatever the app-server's own types allow: where the two drift apart nothing compiles. */
export function reads<Native>() {
  return <Schemas extends Record<string, z.ZodType>>(schemas: Schemas & Taken<Native, Schemas>): Schemas => schemas;
}
