import { createInterface } from "node:readline/promises";
import type { Block, Decision, PermissionBlock, QuestionBlock } from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import type { Gateway } from "../session/gateway.js";

export type OnAsk = "ask" | Decision;

/** Decides a session's blocks as they come: by a fixed answer, or by asking on the terminal, one at a time. */
export class BlockAnswerer {
  readonly #gateway: Gateway;
  readonly #onAsk: OnAsk;
  #asking: Promise<void> = Promise.resolve();

  constructor(gateway: Gateway, onAsk: OnAsk) {
    this.#gateway = gateway;
    this.#onAsk = onAsk;
  }

  onBlocked(block: Block): void {
    this.#asking = this.#asking.then(() => this.#answer(block));
  }

  async #replyTo(block: Block): Promise<Reply> {
    if (block.type === "call") return { error: NOT_SERVED };
    return this.#onAsk === "ask" ? await askPerson(block) : fixedReply(block, this.#onAsk);
  }

  async #answer(block: Block): Promise<void> {
    try {
      const reply = await this.#replyTo(block);
      this.#gateway.reply({ blockID: block.id, ...reply }, "user");
    } catch (error) {
      const { kind, message } = GatewayError.from(error);
      // The turn may have ended, or somebody else may have decided, while the person thought.
      if (kind !== "conflict" && kind !== "not_found") process.stderr.write(`agentwire: ${message}\n`);
    }
  }
}

type Reply = { decision?: Decision; optionID?: string; answers?: string[][]; message?: string; error?: string };
/** What a person or a fixed answer can decide. */
type Decidable = PermissionBlock | QuestionBlock;

const NOT_SERVED = "The client that serves this tool is not here: it cannot be called from the command line";
const MUST_CHOOSE = "There are several ways to allow this, and nobody is here to choose one";

/** Where several options mean what was asked for beforehand, nobody chose one: that is no permission. */
function fixedReply(block: Decidable, wanted: Decision): Reply {
  if (block.type === "question") return { decision: "reject" };
  const decision = wanted === "always" && block.always.length === 0 ? "once" : wanted;
  return canDecide(block, decision) ? { decision } : { decision: "reject", message: MUST_CHOOSE };
}

function canDecide({ decisions }: PermissionBlock, decision: Decision): boolean {
  return decisions?.includes(decision) !== false;
}

async function askPerson(block: Decidable): Promise<Reply> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return block.type === "permission"
      ? await askPermission(terminal.question.bind(terminal), block)
      : await askQuestions(terminal.question.bind(terminal), block);
  } finally {
    terminal.close();
  }
}

type Ask = (query: string) => Promise<string>;

async function askPermission(ask: Ask, block: PermissionBlock): Promise<Reply> {
  const query = queryOf(block);
  for (;;) {
    const reply = readDecision((await ask(query)).trim(), block);
    if (reply) return reply;
  }
}

/** The agent's own options have numbers; plain words stand for what is not one of several. */
function queryOf(block: PermissionBlock): string {
  const options = (block.options ?? []).map(({ label }, i) => `    ${i + 1}. ${label}\n`);
  const choices = [
    ...(canDecide(block, "once") ? ["[y]es"] : []),
    ...(block.always.length > 0 ? [`[a]lways (${block.always.join(", ")})`] : []),
    "[n]o",
    ...(options.length > 0 ? ["a number"] : []),
  ];
  const what = `  ${block.permission}: ${block.patterns.join(", ")}`;
  return `${options.length > 0 ? `${what}\n${options.join("")} ` : what} — ${choices.join(", ")}, or why not: `;
}

function readDecision(answer: string, block: PermissionBlock): Reply | undefined {
  const option = block.options?.[Number(answer) - 1];
  if (option) return { optionID: option.optionID };
  if ((answer === "y" || answer === "yes") && canDecide(block, "once")) return { decision: "once" };
  if (answer === "a" && block.always.length > 0) return { decision: "always" };
  if (answer === "n" || answer === "no") return { decision: "reject" };
  // A word that decides elsewhere is no reason.
  if (["", "y", "yes", "a"].includes(answer)) return undefined;
  return { decision: "reject", message: answer };
}

async function askQuestions(ask: Ask, block: QuestionBlock): Promise<Reply> {
  const answers: string[][] = [];
  for (const { question, options } of block.questions) {
    const list = options.map(({ label }, i) => `  ${i + 1}. ${label}`).join("\n");
    const answer = (await ask(`${question}\n${list}\n  number or text: `)).trim();
    const chosen = options[Number(answer) - 1]?.label ?? answer;
    answers.push(chosen === "" ? [] : [chosen]);
  }
  return { answers };
}
