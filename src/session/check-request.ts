import type { AnyAdapter } from "../../adapters/index.js";
import type {
  Block,
  CallAttachment,
  Capability,
  Mode,
  Params,
  PermissionBlock,
  QuestionBlock,
  Session,
} from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import { defined } from "./defined.js";

/** What a prompt's shape cannot tell: whether this agent can take it now. */
export function checkPrompt(params: Params<"session.prompt">, session: Session, adapter: AnyAdapter): void {
  const busy = session.status.type !== "idle";
  if (busy && params.delivery === "reject") {
    throw new GatewayError("busy", `the session ${session.id} runs a turn`, {
      field: "delivery",
      hint: 'use "queue" to wait for its end',
    });
  }
  if (params.delivery === "steer" && !adapter.capabilities.includes("steer")) {
    throw new GatewayError("not_supported", `${adapter.name} cannot be steered here`, {
      field: "delivery",
      hint: 'use "queue"',
    });
  }
  checkPartKinds(params, adapter);
  checkPartOrder(params);
}

function checkPartKinds({ parts }: Params<"session.prompt">, adapter: AnyAdapter): void {
  for (const [i, part] of parts.entries()) {
    if (part.type !== "agent") continue;
    throw new GatewayError("not_supported", `${adapter.name} takes no ${part.type} parts here`, {
      field: `parts[${i}].type`,
    });
  }
}

/** Parts are shown in the order of their ids. */
function checkPartOrder({ parts }: Params<"session.prompt">): void {
  const given = parts.map((part) => part.id);
  if (given.every((id) => id === undefined)) return;
  for (const [i, id] of given.entries()) {
    const earlier = given[i - 1];
    if (id !== undefined && (i === 0 || (earlier !== undefined && earlier < id))) continue;
    throw new GatewayError(
      "invalid_params",
      `parts[${i}].id must be given and sort after the id before it, as all or none are chosen`,
      {
        field: `parts[${i}].id`,
      },
    );
  }
}

/** Whether the agent can do what a request of its own is for. */
export function checkCapability(capability: Capability, adapter: AnyAdapter): void {
  if (adapter.capabilities.includes(capability)) return;
  throw new GatewayError("not_supported", `${adapter.name} has no ${capability} here`);
}

/** An agent that works is not put away. */
export function checkArchive(session: Session): void {
  if (session.status.type === "idle" && session.queue.length === 0) return;
  throw new GatewayError("busy", `the session ${session.id} runs a turn`, {
    field: "archived",
    hint: "archive it when the turn has ended",
  });
}

export function checkMode(mode: Mode, adapter: AnyAdapter): void {
  if (adapter.modes[mode].fidelity !== "unsupported") return;
  throw new GatewayError("not_supported", `${adapter.name} has no mode like "${mode}"`, { field: "mode" });
}

/** Whether the agent can call tools that the client serves. */
export function checkTools(tools: Params<"session.create">["tools"], adapter: AnyAdapter): void {
  if (!tools || tools.length === 0 || adapter.capabilities.includes("client-tools")) return;
  throw new GatewayError("not_supported", `${adapter.name} cannot call tools that the client serves`, {
    field: "tools",
    hint: "serve them over MCP and name the server in mcpServers",
  });
}

/** Whether the agent has such an option, and it takes such a value. */
export function checkOption(option: string, value: unknown, adapter: AnyAdapter): void {
  const known = Object.hasOwn(adapter.options, option) ? adapter.options[option] : undefined;
  if (!known) {
    const names = Object.keys(adapter.options).join(", ") || "none";
    throw new GatewayError("not_supported", `${adapter.name} has no option "${option}"`, {
      field: "option",
      hint: `there are: ${names}`,
    });
  }
  if (typeof value === known) return;
  throw new GatewayError("invalid_params", `the option "${option}" takes a ${known}, not a ${typeof value}`, {
    field: "value",
  });
}

/** What of a reply each kind of block takes. */
const REPLY_FIELDS: Readonly<Record<Block["type"], readonly string[]>> = {
  permission: ["decision", "optionID", "message", "interrupt"],
  question: ["answers", "decision", "message", "interrupt"],
  call: ["output", "attachments", "error"],
};

/** Whether a reply answers what was asked. */
export function checkReply(params: Params<"block.reply">, block: Block, adapter: AnyAdapter): void {
  checkReplyFields(params, block);
  switch (block.type) {
    case "permission":
      return checkDecision(params, block);
    case "question":
      return checkAnswers(params, block);
    case "call":
      return checkCall(params, adapter);
  }
}

function checkReplyFields({ blockID: _, ...reply }: Params<"block.reply">, block: Block): void {
  const known = REPLY_FIELDS[block.type];
  const strange = Object.keys(defined(reply)).find((field) => !known.includes(field));
  if (strange === undefined) return;
  throw new GatewayError("invalid_params", `a ${block.type} takes no "${strange}"`, {
    field: strange,
    hint: `it takes: ${known.join(", ")}`,
  });
}

function checkAnswers(params: Params<"block.reply">, block: QuestionBlock): void {
  if (params.decision === "reject") return;
  if (!params.answers || params.decision) {
    throw new GatewayError("invalid_params", 'a question takes "answers", or the decision "reject"', {
      field: "answers",
    });
  }
  if (params.answers.length === block.questions.length) return;
  throw new GatewayError(
    "invalid_params",
    `there are ${block.questions.length} questions and ${params.answers.length} answers`,
    {
      field: "answers",
      hint: "give one list of labels for each question, an empty one for no answer",
    },
  );
}

function checkDecision(params: Params<"block.reply">, block: PermissionBlock): void {
  if (params.optionID !== undefined) return checkBlockOption(params, block);
  if (!params.decision) {
    throw new GatewayError("invalid_params", 'a permission needs a "decision": once, always or reject', {
      field: "decision",
    });
  }
  if (params.decision === "always" && block.always.length === 0) {
    throw new GatewayError("not_supported", 'the agent offers no "always" for this tool call', {
      field: "decision",
      hint: 'use "once"',
    });
  }
  if (block.decisions?.includes(params.decision) !== false) return;
  const options = block.options?.map(({ optionID, label }) => `${optionID} (${label})`).join(", ") ?? "";
  throw new GatewayError("not_supported", `no option of the agent alone means "${params.decision}"`, {
    field: "decision",
    hint: `name one with "optionID": ${options}`,
  });
}

function checkCall({ output, error, attachments }: Params<"block.reply">, adapter: AnyAdapter): void {
  if ((output === undefined) === (error === undefined)) {
    throw new GatewayError("invalid_params", 'a call takes either "output" or "error"', {
      field: output === undefined ? "output" : "error",
      hint: 'use "error" to tell the agent why the call was not carried out',
    });
  }
  if (!attachments) return;
  if (error !== undefined) {
    throw new GatewayError("invalid_params", 'an "error" has no attachments', {
      field: "attachments",
      hint: 'give them with "output"',
    });
  }
  checkAttachments(attachments, adapter);
}

/** Agents take images as the result of a tool, whole. */
function checkAttachments(attachments: readonly CallAttachment[], adapter: AnyAdapter): void {
  if (!adapter.capabilities.includes("images"))
    throw new GatewayError("not_supported", `${adapter.name} takes no attachments here`, { field: "attachments" });
  const wrong = attachments.findIndex(({ mime, url }) => !IMAGE.test(mime) || !url.startsWith(`data:${mime};base64,`));
  if (wrong < 0) return;
  throw new GatewayError("not_supported", `attachments[${wrong}] is no image that ${adapter.name} takes`, {
    field: `attachments[${wrong}].url`,
    hint: 'give a PNG, JPEG, GIF or WebP image as "data:<mime>;base64,…"',
  });
}

const IMAGE = /^image\/(png|jpeg|gif|webp)$/;

function checkBlockOption(params: Params<"block.reply">, block: PermissionBlock): void {
  const option = block.options?.find(({ optionID }) => optionID === params.optionID);
  if (!option) {
    const known = block.options?.map(({ optionID }) => optionID).join(", ") || "none";
    throw new GatewayError("invalid_params", `there is no option "${params.optionID}"; there are: ${known}`, {
      field: "optionID",
    });
  }
  if (params.decision === undefined || params.decision === option.decision) return;
  throw new GatewayError(
    "invalid_params",
    `the option "${option.optionID}" means ${option.decision}, not ${params.decision}`,
    {
      field: "decision",
      hint: "leave the decision out",
    },
  );
}
