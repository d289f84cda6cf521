import type { AnyAdapter } from "../../adapters/index.js";
import type { Block, Mode, Params, PermissionBlock, Session } from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";

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
    if (part.type === "text" || (part.type === "file" && adapter.capabilities.includes("images"))) continue;
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

export function checkMode(mode: Mode, adapter: AnyAdapter): void {
  if (adapter.modes[mode].fidelity !== "unsupported") return;
  throw new GatewayError("not_supported", `${adapter.name} has no mode like "${mode}"`, { field: "mode" });
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

/** Whether a reply answers what was asked. */
export function checkReply(params: Params<"block.reply">, block: Block): void {
  if (block.type === "permission") return checkDecision(params, block);
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
  if (params.answers)
    throw new GatewayError("invalid_params", 'a permission takes "decision", not "answers"', { field: "answers" });
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
