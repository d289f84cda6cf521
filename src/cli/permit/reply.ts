import { z } from "zod";
import type { PendingBlock, QuestionBlock, ResolvedBlock } from "../../../schemas/index.js";
import { GatewayError } from "../../gateway-error.js";
import { findBlock } from "../find-block.js";
import { GATEWAY_FLAGS, GATEWAY_SHAPE, type GatewayOptions } from "../gateway-options.js";
import { parseOptions } from "../parse-options.js";
import { withGateway } from "../reach-gateway.js";
import { type Reply, readAnswer } from "../terminal/ask-block.js";
import { decisionOf, subjectOf } from "../terminal/describe-block.js";
import { safeText } from "../terminal/safe-text.js";
import { UsageError } from "../usage-error.js";

const FLAGS = { ...GATEWAY_FLAGS, json: { type: "boolean" } } as const;
const SHAPE = { ...GATEWAY_SHAPE, json: z.boolean().default(false) };

type Options = GatewayOptions & { readonly json: boolean };
/** The reply to what waits; only its id is known of what waits no more. */
type MakeReply = (pending: PendingBlock | undefined) => Reply;

export async function allow(args: readonly string[]): Promise<number> {
  const flags = { ...FLAGS, always: { type: "boolean" }, option: { type: "string" } } as const;
  const schema = z.object({ ...SHAPE, always: z.boolean().default(false), option: z.string().min(1).optional() });
  const { options, positionals } = parseOptions(args, flags, schema);
  const { always, option } = options;
  if (always && option !== undefined) throw new UsageError("--always and --option both decide: give one");
  const decision = always ? "always" : "once";
  const reply: Reply = option === undefined ? { decision } : { optionID: option };
  return decide(oneName(positionals), options, (pending) => {
    if (pending?.block.type === "question") throw mustAnswer(pending.block);
    return reply;
  });
}

export async function deny(args: readonly string[]): Promise<number> {
  const flags = { ...FLAGS, message: { type: "string" } } as const;
  const { options, positionals } = parseOptions(
    args,
    flags,
    z.object({ ...SHAPE, message: z.string().min(1).optional() }),
  );
  const { message } = options;
  return decide(oneName(positionals), options, () => ({
    decision: "reject",
    ...(message !== undefined && { message }),
  }));
}

export async function answer(args: readonly string[]): Promise<number> {
  const { options, positionals } = parseOptions(args, FLAGS, z.object(SHAPE));
  const [name, ...answers] = positionals;
  if (name === undefined || answers.length === 0) throw new UsageError("name what waits, and its answer");
  return decide(name, options, (pending) => ({
    answers: pending?.block.type === "question" ? readAnswers(pending.block, answers) : answers.map((text) => [text]),
  }));
}

async function decide(name: string, options: Options, makeReply: MakeReply): Promise<number> {
  const block = await withGateway(options, async (client) => {
    const found = await findBlock(client, name);
    const pending = typeof found === "string" ? undefined : found;
    const blockID = typeof found === "string" ? found : found.block.id;
    return (await client.call("block.reply", { blockID, ...makeReply(pending) })).block;
  });
  process.stdout.write(options.json ? `${JSON.stringify({ block })}\n` : lineOf(block));
  return 0;
}

function oneName([name, ...others]: readonly string[]): string {
  if (name === undefined || others.length > 0) throw new UsageError("name one thing that waits");
  return name;
}

function readAnswers({ id, questions }: QuestionBlock, answers: readonly string[]): string[][] {
  if (answers.length !== questions.length)
    throw new GatewayError("invalid_params", `${id} asks ${questions.length}, and there are ${answers.length} answers`);
  return questions.map((info, i) => {
    const chosen = readAnswer(answers[i] ?? "", info);
    if (chosen) return chosen;
    const labels = info.options.map(({ label }) => label).join(", ");
    throw new GatewayError("invalid_params", `"${answers[i]}" is none of ${labels}`);
  });
}

function mustAnswer({ id, questions }: QuestionBlock): GatewayError {
  const hint = `agentwire permit answer ${id}${" ANSWER".repeat(questions.length)}`;
  return new GatewayError("invalid_params", `${id} is a question`, { hint });
}

function lineOf(block: ResolvedBlock): string {
  return `${safeText(`${subjectOf(block)} — ${decisionOf(block)}`)} (${block.id})\n`;
}
