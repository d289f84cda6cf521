import * as messages from "../anthropic/script.js";
import type { ApiError, Fault, Lanes, PartOptions, ScriptedAnswer, ScriptedPart } from "../model-server/script.js";
import { mapLanes } from "./map-lanes.js";

/** A script in the words of the Messages API. */
export function asMessages(lanes: Lanes): messages.Lanes {
  return mapLanes(lanes, responseOf);
}

function responseOf(answer: ScriptedAnswer): messages.ScriptedResponse {
  switch (answer.kind) {
    case "error":
      return messages.httpError(answer.status, typeOf(answer), answer.message);
    case "empty":
    case "hang":
      return answer;
    case "parts": {
      const { gate, finish } = answer;
      return messages.message(answer.parts.map(blockOf), {
        ...(gate !== undefined && { gate }),
        ...(finish !== undefined && { stopReason: finish === "length" ? "max_tokens" : "refusal" }),
      });
    }
  }
}

function blockOf(part: ScriptedPart): messages.ScriptedBlock {
  switch (part.type) {
    case "text":
      return messages.text(part.text, optionsOf(part));
    case "thought":
      return messages.thinking(part.text, optionsOf(part));
    case "call":
      // Whole by default: a path that is cut between two deltas could not be given a placeholder.
      return messages.toolUse(part.name, part.input, { chunk: 100_000, ...optionsOf(part) });
  }
}

function optionsOf({ chunk, after, gate, fault }: PartOptions): messages.BlockOptions {
  return {
    ...(chunk !== undefined && { chunk }),
    ...(after !== undefined && { after }),
    ...(gate !== undefined && { gate }),
    ...(fault !== undefined && { fault: faultOf(fault) }),
  };
}

function faultOf(fault: Fault): messages.Fault {
  return fault === "cut" ? "cut" : { type: typeOf(fault), message: fault.message };
}

function typeOf({ status }: ApiError): string {
  switch (status) {
    case 400:
      return "invalid_request_error";
    case 401:
      return "authentication_error";
    case 429:
      return "rate_limit_error";
    default:
      return "api_error";
  }
}
