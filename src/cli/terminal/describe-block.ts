import type { Block, DecidedBy, ResolvedBlock } from "../../../schemas/index.js";

const BY = {
  user: "by a client",
  rule: "by a rule",
  cascade: "with another decision",
  agent: "by the agent itself",
  shutdown: "by the end of its turn or gateway",
} as const satisfies Record<DecidedBy, string>;

const DECIDED = { once: "allowed once", always: "allowed always", reject: "rejected" } as const;

/** What a block asks for, in a few words of one line. */
export function subjectOf(block: Block): string {
  switch (block.type) {
    case "permission":
      return `${block.permission}: ${block.patterns.join(", ")}`;
    case "question":
      return block.questions.map(({ question }) => question).join(" / ");
    case "call":
      return `${block.name} ${JSON.stringify(block.input)}`;
  }
}

/** How a block was decided, and by whom. */
export function decisionOf(block: ResolvedBlock): string {
  const why = block.message === undefined ? "" : `: ${block.message}`;
  return `${outcomeOf(block)} ${BY[block.decidedBy]}${why}`;
}

function outcomeOf(block: ResolvedBlock): string {
  switch (block.type) {
    case "permission": {
      const option = block.options?.find(({ optionID }) => optionID === block.optionID);
      return option ? `${DECIDED[block.decision]} (${option.label})` : DECIDED[block.decision];
    }
    case "question":
      return block.rejected
        ? "left unanswered"
        : `answered ${block.answers.map((labels) => labels.join(", ")).join("; ")}`;
    case "call":
      return block.output !== undefined ? "carried out" : "not carried out";
  }
}
