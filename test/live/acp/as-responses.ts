import type { Fault, Lanes, PartOptions, PartsAnswer, ScriptedAnswer, ScriptedPart } from "../model-server/script.js";
import * as responses from "../openai/script.js";
import { mapLanes } from "./map-lanes.js";

/** A script in the words of the Responses API. */
export function asResponses(lanes: Lanes): responses.Lanes {
  return mapLanes(lanes, responseOf);
}

function responseOf(answer: ScriptedAnswer): responses.ScriptedResponse {
  switch (answer.kind) {
    case "error":
      return responses.httpError(answer.status, { message: answer.message, type: "error" });
    case "empty":
    case "hang":
      return answer;
    case "parts":
      return responses.output(answer.parts.map(itemOf), endOf(answer));
  }
}

/** This API tells of a limit by the response's state in place of a reason. */
function endOf({ gate, finish }: PartsAnswer): responses.OutputOptions {
  const incomplete = finish === "length" ? "max_output_tokens" : "content_filter";
  return { ...(gate !== undefined && { gate }), ...(finish !== undefined && { fault: { incomplete } }) };
}

function itemOf(part: ScriptedPart): responses.ScriptedItem {
  switch (part.type) {
    case "text":
      return responses.text(part.text, optionsOf(part));
    case "thought":
      return responses.reasoning([part.text], optionsOf(part));
    case "call":
      return part.freeform === undefined
        ? responses.call(part.name, part.input, optionsOf(part))
        : responses.custom(part.name, part.freeform, { chunk: 100_000, ...optionsOf(part) });
  }
}

function optionsOf({ chunk, after, gate, fault }: PartOptions): responses.ItemOptions {
  return {
    ...(chunk !== undefined && { chunk }),
    ...(after !== undefined && { after }),
    ...(gate !== undefined && { gate }),
    ...(fault !== undefined && { fault: faultOf(fault) }),
  };
}

function faultOf(fault: Fault): responses.Fault {
  return fault === "cut" ? "cut" : { failed: { code: `http_${fault.status}`, message: fault.message } };
}
