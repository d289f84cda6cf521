import { z } from "zod";
import type { WireEvent } from "../../../schemas/index.js";
import { DIALECTS, dialectOf } from "../../conformance/dialects.js";
import type { Normalizer } from "../../conformance/normalizer.js";
import { parseOptions } from "../parse-options.js";
import { UsageError } from "../usage-error.js";
import type { Verb } from "../verb.js";
import { writeOut } from "../write-out.js";

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

Reads from the file or standard input: bare native lines, a recording with one {"t","dir","line"} a line, or a transcript,
which may also be a folder with the transcripts of many sessions. Prints wire events, one a line.

  --from DIALECT  ${Object.keys(DIALECTS).join(" | ")}; without one they are listed
  --final         print instead one JSON document {sessions: [{info, messages: [{info, parts}], todos}]}
  --check         hold the result against the laws too; exits with 1 naming each violation
  --cwd DIR       the directory the agent worked in: paths below it are shown relative`,
  run: async (args) => {
    if (args.at(-1) === "--from") return listDialects();
    const { options, positionals } = parseOptions(args, FLAGS, Options);
    if (options.from === undefined) throw new UsageError("name a dialect with --from");
    const normalizer = dialectOf(options.from).normalizer({
      check: options.check,
      final: options.final,
      ...(options.cwd !== undefined && { directory: options.cwd }),
    });
    await read(normalizer, positionals[0], async (events) => (options.final ? undefined : print(events)));
    if (options.final) await writeOut(`${JSON.stringify(normalizer.final(), null, 2)}\n`);
    reportUnknown(normalizer);
    return options.check ? reportViolations(normalizer) : 0;
  },
};

function listDialects(): number {
  for (const [name, { summary }] of Object.entries(DIALECTS)) process.stdout.write(`${name.padEnd(18)} ${summary}\n`);
  return 0;
}

function read(normalizer: Normalizer, file: string | undefined, emit: (events: readonly WireEvent[]) => Promise<void>) {
  return file === undefined || file === "-"
    ? normalizer.readInput(process.stdin, emit)
    : normalizer.readPath(file, emit);
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
