import type { Exchange } from "../model-server/exchange.js";
import type { Gates } from "../model-server/gates.js";
import type { Fault, MessageResponse } from "./script.js";
import {
  deltasOf,
  type NamedBlock,
  nativeMessage,
  nativeUsage,
  startedBlock,
  stopReasonOf,
  wholeBlock,
} from "./wire.js";

export interface MessageAnswer {
  readonly id: string;
  readonly model: unknown;
  readonly response: MessageResponse;
  readonly blocks: readonly NamedBlock[];
}

/** Answers a streaming request. */
export async function streamMessage(exchange: Exchange, gates: Gates, answer: MessageAnswer): Promise<void> {
  const usage = nativeUsage(answer.response.usage);
  const unfinished = { stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } };
  exchange.startStream();
  send(exchange, "message_start", { message: nativeMessage(answer.id, answer.model, [], unfinished) });
  for (const [index, block] of answer.blocks.entries()) {
    if (!(await streamBlock(exchange, gates, index, block))) return;
  }
  if (answer.response.fault !== undefined) return fail(exchange, answer.response.fault);
  send(exchange, "message_delta", { delta: stopOf(answer.response), usage });
  send(exchange, "message_stop", {});
  exchange.end();
}

/** Answers a request that does not stream; its gates are passed in their order before anything is sent. */
export async function answerWhole(exchange: Exchange, gates: Gates, answer: MessageAnswer): Promise<void> {
  for (const { gate, fault } of [...answer.blocks, { gate: undefined, fault: answer.response.fault }]) {
    if (gate !== undefined && !(await gates.pass(gate, exchange.left))) return;
    if (fault === "cut") return exchange.cut();
    if (fault !== undefined) return exchange.error(500, fault.type, fault.message);
  }
  const stop = { ...stopOf(answer.response), usage: nativeUsage(answer.response.usage) };
  exchange.json(200, nativeMessage(answer.id, answer.model, answer.blocks.map(wholeBlock), stop));
}

/** False when the stream has ended inside the block. */
async function streamBlock(exchange: Exchange, gates: Gates, index: number, block: NamedBlock): Promise<boolean> {
  send(exchange, "content_block_start", { index, content_block: startedBlock(block) });
  const deltas = deltasOf(block).map((delta) => ({ index, delta }));
  const before = block.after ?? deltas.length;
  for (const delta of deltas.slice(0, before)) send(exchange, "content_block_delta", delta);
  if (block.gate !== undefined && !(await gates.pass(block.gate, exchange.left))) return false;
  if (block.fault !== undefined) {
    await fail(exchange, block.fault);
    return false;
  }
  for (const delta of deltas.slice(before)) send(exchange, "content_block_delta", delta);
  send(exchange, "content_block_stop", { index });
  return true;
}

async function fail(exchange: Exchange, fault: Fault): Promise<void> {
  if (fault === "cut") return exchange.cut();
  send(exchange, "error", { error: fault });
  exchange.end();
}

function send(exchange: Exchange, type: string, properties: object): void {
  exchange.event({ type, ...properties });
}

function stopOf(response: MessageResponse): object {
  const details = response.stopDetails === undefined ? {} : { stop_details: response.stopDetails };
  return { stop_reason: stopReasonOf(response), stop_sequence: null, ...details };
}
