import type { Decision, Params, PermissionBlock, QuestionBlock, QuestionInfo } from "../../../schemas/index.js";

/** How a block is decided, as `block.reply` takes it. */
export type Reply = Omit<Params<"block.reply">, "blockID">;
/** What a person or a fixed answer can decide. */
export type Decidable = PermissionBlock | QuestionBlock;
/** Undefined: there is nobody to answer. */
export type Ask = (query: string) => Promise<string | undefined>;

/** Asks a person until the answer decides; undefined when nobody answers any more. */
export function askBlock(ask: Ask, block: Decidable): Promise<Reply | undefined> {
  return block.type === "permission" ? askPermission(ask, block) : askQuestions(ask, block);
}

export function canDecide({ decisions }: PermissionBlock, decision: Decision): boolean {
  return decisions?.includes(decision) !== false;
}

async function askPermission(ask: Ask, block: PermissionBlock): Promise<Reply | undefined> {
  const query = queryOf(block);
  for (;;) {
    const answer = await ask(query);
    if (answer === undefined) return undefined;
    const reply = readDecision(answer.trim(), block);
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

async function askQuestions(ask: Ask, block: QuestionBlock): Promise<Reply | undefined> {
  const answers: string[][] = [];
  for (const question of block.questions) {
    const answer = await askQuestion(ask, question);
    if (!answer) return undefined;
    answers.push(answer);
  }
  return { answers };
}

async function askQuestion(ask: Ask, info: QuestionInfo): Promise<string[] | undefined> {
  const list = info.options.map(({ label }, i) => `  ${i + 1}. ${label}`).join("\n");
  const how = `${info.multiple ? "numbers, with commas between them," : "number"}${info.custom === false ? "" : " or text"}`;
  for (;;) {
    const answer = await ask(`${info.question}\n${list}\n  ${how}: `);
    if (answer === undefined) return undefined;
    const chosen = readAnswer(answer, info);
    if (chosen) return chosen;
  }
}

/**
 * What an answer chooses: options by number or label (several with commas, where the question takes several), else free
 * text where it is taken. Nothing at all leaves the question unanswered. Undefined: it answers nothing.
 */
export function readAnswer(answer: string, { options, multiple, custom }: QuestionInfo): string[] | undefined {
  const text = answer.trim();
  const labelOf = (word: string) =>
    options.find(({ label }) => label === word)?.label ?? options[Number(word) - 1]?.label;
  if (text === "") return [];
  const one = labelOf(text);
  if (one !== undefined) return [one];
  const several = multiple ? text.split(",").map((word) => labelOf(word.trim())) : [];
  if (several.length > 1 && several.every((label) => label !== undefined)) return [...new Set(several)];
  return custom === false ? undefined : [text];
}
