import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { z } from "zod";
import type { WireEvent } from "../../../schemas/index.js";
import { DIALECTS, dialectOf } from "../../conformance/dialects.js";
import { Normalizer } from "../../conformance/normalize.js";
import { GatewayError } from "../../gateway-error.js";
import { LineSplitter } from "../../line-splitter.js";
import { parseOptions } from "../parse-options.js";
import { UsageError } from "../usage-error.js";
import type { Verb } from "../verb.js";
import { writeOut } from "../write-out.js";

const MAX_LINE_BYTES = 256 * 1024 * 1024;

const FLAGS = {
  from: { type: "string" },
  final: { type: "boolean" },
  check: { type: "boolean" },
  cwd: { type: "string" },
} as const;

const Options = z.object({
  from: z.string().optional(),
  final: z.boolean().default(false),
  check: z.boolean().default(false),
  cwd: z.string().optional(),
});

export const verb: Verb = {
  summary: "turn a native stream or recording into wire events",
  usage: `usage: agentwire normalize --from DIALECT [file] [options]

Reads bare native lines, or a recording with one {"t","dir","line"} a line, from the file or standard input.
Prints wire events, one a line.

  --from DIALECT  ${Object.keys(DIALECTS).join(" | ")}; without one they are listed
  --final         print instead one JSON document {sessions: [{info, messages: [{info, parts}], todos}]}
  --check         hold the result against the laws too; exits with 1 naming each violation
  --cwd DIR       the directory the agent worked in: paths below it are shown relative`,
  run: async (args) => {
    if (args.at(-1) === "--from") return listDialects();
    const { options, positionals } = parseOptions(args, FLAGS, Options);
    if (options.from === undefined) throw new UsageError("name a dialect with --from");
    const normalizer = new Normalizer(dialectOf(options.from), {
      check: options.check,
      final: options.final,
      ...(options.cwd !== undefined && { directory: options.cwd }),
    });
    await pump(openInput(positionals[0]), normalizer, (events) => (options.final ? undefined : print(events)));
    if (options.final) await writeOut(`${JSON.stringify(normalizer.final(), null, 2)}\n`);
    reportUnknown(normalizer);
    return options.check ? reportViolations(normalizer) : 0;
  },
};

function listDialects(): number {
  for (const [name, { summary }] of Object.entries(DIALECTS)) process.stdout.write(`${name.padEnd(10)} ${summary}\n`);
  return 0;
}

function openInput(file: string | undefined): Readable {
  return file === undefined || file === "-" ? process.stdin : createReadStream(file);
}

async function pump(
  input: Readable,
  normalizer: Normalizer,
  emit: (events: WireEvent[]) => Promise<void> | undefined,
): Promise<void> {
  let events = normalizer.start();
  const splitter = new LineSplitter(
    {
      onLine: (line) => {
        for (const event of normalizer.line(line)) events.push(event);
      },
      onOverlong: (bytes) => process.stderr.write(`agentwire: a line of at least ${bytes} bytes was left out\n`),
    },
    MAX_LINE_BYTES,
  );
  const flush = async () => {
    const ready = events;
    events = [];
    await emit(ready);
  };
  try {
    for await (const chunk of input) {
      splitter.push(chunk as Buffer);
      await flush();
    }
  } catch (error) {
    throw new GatewayError(
      "not_found",
      `the input cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  splitter.end();
  events.push(...normalizer.end());
  await flush();
}

async function print(events: readonly WireEvent[]): Promise<void> {
  if (events.length > 0) await writeOut(events.map((event) => `${JSON.stringify(event)}\n`).join(""));
}

function reportUnknown(normalizer: Normalizer): void {
  for (const [kind, count] of normalizer.unknownKinds) process.stderr.write(`unknown: ${kind} (${count} lines)\n`);
}

function reportViolations(normalizer: Normalizer): number {
  const violations = normalizer.violations();
  for (const { law, message } of violations) process.stderr.write(`law ${law}: ${message}\n`);
  return violations.length === 0 ? 0 : 1;
}
