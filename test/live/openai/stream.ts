import type { Exchange } from "../model-server/exchange.js";
import type { Gates } from "../model-server/gates.js";
import type { Fault, OutputResponse, ScriptedItem } from "./script.js";
import { deltasOf, nativeUsage, startedItem, wholeItem } from "./wire.js";

export interface OutputAnswer {
  readonly id: string;
  readonly response: OutputResponse;
  /** The items' ids, in their order. */
  readonly ids: readonly string[];
}

/** Answers one request: the API always streams. */
export async function streamOutput(exchange: Exchange, gates: Gates, answer: OutputAnswer): Promise<void> {
  const response = { id: answer.id, object: "response", output: [] };
  exchange.startStream();
  exchange.event({ type: "response.created", ...{ response: { ...response, status: "in_progress" } } });
  for (const [index, item] of answer.response.items.entries()) {
    if (!(await streamItem(exchange, gates, { item, index, id: answer.ids[index] ?? "", responseID: answer.id })))
      return;
  }
  if (answer.response.fault !== undefined) return fail(exchange, answer.id, answer.response.fault);
  const usage = nativeUsage(answer.response.usage);
  send(exchange, { type: "response.completed", response: { ...response, status: "completed", usage } });
  exchange.end();
}

interface ItemAt {
  readonly item: ScriptedItem;
  readonly index: number;
  readonly id: string;
  readonly responseID: string;
}

/** False when the stream has ended inside the item. */
async function streamItem(exchange: Exchange, gates: Gates, { item, index, id, responseID }: ItemAt): Promise<boolean> {
  const at = { output_index: index };
  const deltas = item.whole ? [] : deltasOf(item, id);
  if (!item.whole) send(exchange, { type: "response.output_item.added", ...at, item: startedItem(item, id) });
  const before = item.after ?? deltas.length;
  for (const delta of deltas.slice(0, before)) send(exchange, { ...delta, ...at });
  if (item.gate !== undefined && !(await gates.pass(item.gate, exchange.left))) return false;
  if (item.fault !== undefined) {
    await fail(exchange, responseID, item.fault);
    return false;
  }
  for (const delta of deltas.slice(before)) send(exchange, { ...delta, ...at });
  send(exchange, { type: "response.output_item.done", ...at, item: wholeItem(item, id) });
  return true;
}

async function fail(exchange: Exchange, id: string, fault: Fault): Promise<void> {
  if (fault === "cut") return exchange.cut();
  const response = { id, object: "response", output: [] };
  if ("failed" in fault) {
    send(exchange, { type: "response.failed", response: { ...response, status: "failed", error: fault.failed } });
  } else {
    const details = { incomplete_details: { reason: fault.incomplete } };
    send(exchange, { type: "response.incomplete", response: { ...response, status: "incomplete", ...details } });
  }
  exchange.end();
}

function send(exchange: Exchange, event: Readonly<Record<string, unknown>>): void {
  exchange.event(event as { readonly type: string });
}
