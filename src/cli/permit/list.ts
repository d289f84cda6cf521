import { z } from "zod";
import type { Block, PendingBlock, PermissionBlock, QuestionInfo, Session } from "../../../schemas/index.js";
import type { Client } from "../../client/index.js";
import { GATEWAY_FLAGS, GATEWAY_SHAPE } from "../gateway-options.js";
import { parseOptions } from "../parse-options.js";
import { withGateway } from "../reach-gateway.js";
import { subjectOf } from "../terminal/describe-block.js";
import { safeText } from "../terminal/safe-text.js";
import { UsageError } from "../usage-error.js";
import { writeOut } from "../write-out.js";

const FLAGS = { ...GATEWAY_FLAGS, json: { type: "boolean" } } as const;
const Options = z.object({ ...GATEWAY_SHAPE, json: z.boolean().default(false) });

export async function action(args: readonly string[]): Promise<number> {
  const { options, positionals } = parseOptions(args, FLAGS, Options);
  if (positionals.length > 0) throw new UsageError(`there is no action "${positionals[0]}"`);
  await writeOut(await withGateway(options, (client) => (options.json ? readLines(client) : readText(client))));
  return 0;
}

async function readLines(client: Client): Promise<string> {
  const { blocks } = await client.call("block.list", {});
  return blocks.map((pending) => `${JSON.stringify(pending)}\n`).join("");
}

async function readText(client: Client): Promise<string> {
  const { blocks } = await client.call("block.list", {});
  if (blocks.length === 0) return "nothing waits\n";
  const sessions = await Promise.all(blocks.map(({ sessionID }) => client.call("session.get", { sessionID })));
  const texts = blocks.map((pending, i) => textOf(pending, sessions[i]?.session));
  return `${safeText(texts.join("\n\n"))}\n`;
}

function textOf({ block, sessionID, tool }: PendingBlock, session: Session | undefined): string {
  const whose = [session?.agent, session?.title || session?.directory].filter((word) => word !== undefined).join(" ");
  return [
    `${block.id}  ${tool}${block.type === "permission" ? "" : ` (${block.type})`}`,
    `  in ${sessionID} ${whose}`,
    ...detailsOf(block).map((line) => `  ${line}`),
  ].join("\n");
}

function detailsOf(block: Block): string[] {
  switch (block.type) {
    case "permission":
      return [subjectOf(block), ...diffOf(block), ...choicesOf(block)];
    case "question":
      return block.questions.flatMap(questionLines);
    case "call":
      return [subjectOf(block), "the session's own client carries it out"];
  }
}

/** How many lines a change adds and takes away. */
function diffOf({ metadata }: PermissionBlock): string[] {
  if (typeof metadata.diff !== "string") return [];
  const lines = metadata.diff.split("\n").filter((line) => !/^(---|\+\+\+) /.test(line));
  const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
  return [`diff: +${count("+")} -${count("-")} lines`];
}

function choicesOf({ always, options = [] }: PermissionBlock): string[] {
  return [
    ...(always.length > 0 ? [`--always: ${always.join(", ")}`] : []),
    ...options.map(({ optionID, label, decision }) => `--option ${optionID}: ${label} (${decision})`),
  ];
}

function questionLines({ question, options, multiple, custom }: QuestionInfo): string[] {
  const how = [...(multiple ? ["several"] : []), ...(custom === false ? ["no other answer"] : [])];
  return [
    `${question}${how.length > 0 ? ` (${how.join(", ")})` : ""}`,
    ...options.map(({ label, description }, i) => `  ${i + 1}. ${label}${description && ` — ${description}`}`),
  ];
}
