import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { buildJsonSchema } from "../../../schemas/json-schema.js";
import { buildOpenApi } from "../../../schemas/openapi.js";
import { buildOpenRpc } from "../../../schemas/openrpc.js";
import { packageRoot } from "../package-info.js";
import { parseOptions } from "../parse-options.js";
import type { Verb } from "../verb.js";

const FLAGS = { out: { type: "string" }, check: { type: "boolean" } } as const;
const Options = z.object({ out: z.string().optional(), check: z.boolean().default(false) });

export const verb: Verb = {
  summary: "write or check the JSON Schema, OpenRPC and OpenAPI files",
  usage: `usage: agentwire schema [--out DIR] [--check]

Writes the wire's JSON Schema (2020-12) and the OpenRPC and OpenAPI documents of its requests, made from the zod schemas.

  --out DIR  where to; default schemas/generated of this package
  --check    write nothing; exit with 1 when the files there are not what would be written`,
  run: async (args) => {
    const { options } = parseOptions(args, FLAGS, Options);
    const folder = options.out ?? join(packageRoot(), "schemas", "generated");
    const files = Object.entries({
      "wire.schema.json": buildJsonSchema(),
      "openrpc.json": buildOpenRpc(),
      "openapi.json": buildOpenApi(),
    });
    return options.check ? check(folder, files) : write(folder, files);
  },
};

type Files = readonly (readonly [string, object])[];

function write(folder: string, files: Files): number {
  mkdirSync(folder, { recursive: true });
  for (const [name, document] of files) writeFileSync(join(folder, name), textOf(document));
  process.stderr.write(`wrote ${files.map(([name]) => name).join(", ")} to ${folder}\n`);
  return 0;
}

function check(folder: string, files: Files): number {
  const stale = files.filter(([name, document]) => readText(join(folder, name)) !== textOf(document));
  for (const [name] of stale)
    process.stderr.write(`${join(folder, name)} is not what the schemas say; run: agentwire schema\n`);
  if (stale.length === 0) process.stderr.write("the generated schema files are up to date\n");
  return stale.length === 0 ? 0 : 1;
}

function textOf(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
