import { pieces } from "../model-server/pieces.js";
import type { ScriptedItem, Usage } from "./script.js";

/** The native shapes of the Responses API, made from what the script says. */

const USAGE: Usage = { input: 100, cached: 40, output: 20, reasoning: 5 };

type Event = Readonly<Record<string, unknown>>;

export function nativeUsage(usage: Partial<Usage> = {}): object {
  const { input, cached, output, reasoning } = { ...USAGE, ...usage };
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}

/** The item as it begins. */
export function startedItem(item: ScriptedItem, id: string): Event {
  switch (item.type) {
    case "text":
      return { ...wholeItem(item, id), status: "in_progress", content: [] };
    case "reasoning":
      return { type: "reasoning", id, summary: [] };
    case "call":
      return { ...wholeItem(item, id), status: "in_progress", arguments: "" };
    case "custom":
      return { ...wholeItem(item, id), status: "in_progress", input: "" };
    case "raw":
      return item.item;
  }
}

export function wholeItem(item: ScriptedItem, id: string): Event {
  switch (item.type) {
    case "text": {
      const content = [{ type: "output_text", text: item.text, annotations: [] }];
      const phase = item.phase === undefined ? {} : { phase: item.phase };
      return { type: "message", id, role: "assistant", ...phase, status: "completed", content };
    }
    case "reasoning": {
      const summary = item.summary.map((text) => ({ type: "summary_text", text }));
      const content = item.raw === undefined ? {} : { content: [{ type: "reasoning_text", text: item.raw }] };
      return { type: "reasoning", id, summary, ...content, encrypted_content: "c2NyaXB0ZWQ=" };
    }
    case "call": {
      const namespace = item.namespace === undefined ? {} : { namespace: item.namespace };
      const base = { type: "function_call", id: `fc_${id}`, call_id: id, name: item.name };
      return { ...base, ...namespace, status: "completed", arguments: item.json };
    }
    case "custom":
      return {
        type: "custom_tool_call",
        id: `ctc_${id}`,
        call_id: id,
        name: item.name,
        status: "completed",
        input: item.input,
      };
    case "raw":
      return item.item;
  }
}

/** What comes between the item's start and its end. */
export function deltasOf(item: ScriptedItem, id: string): Event[] {
  switch (item.type) {
    case "text":
      return pieces(item.text, item.chunk).map((delta) => ({
        type: "response.output_text.delta",
        item_id: id,
        content_index: 0,
        delta,
      }));
    case "reasoning":
      return [
        ...item.summary.flatMap((part, index) => summaryDeltas(part, index, id, item.chunk)),
        ...rawDeltas(item, id),
      ];
    case "call":
      return pieces(item.json, item.chunk).map((delta) => ({
        type: "response.function_call_arguments.delta",
        item_id: `fc_${id}`,
        delta,
      }));
    case "custom":
      return pieces(item.input, item.chunk).map((delta) => ({
        type: "response.custom_tool_call_input.delta",
        item_id: `ctc_${id}`,
        call_id: id,
        delta,
      }));
    case "raw":
      return [];
  }
}

function summaryDeltas(part: string, index: number, id: string, chunk: number | undefined): Event[] {
  const base = { item_id: id, summary_index: index };
  return [
    { type: "response.reasoning_summary_part.added", ...base, part: { type: "summary_text", text: "" } },
    ...pieces(part, chunk).map((delta) => ({ type: "response.reasoning_summary_text.delta", ...base, delta })),
    { type: "response.reasoning_summary_text.done", ...base, text: part },
    { type: "response.reasoning_summary_part.done", ...base, part: { type: "summary_text", text: part } },
  ];
}

function rawDeltas(item: Extract<ScriptedItem, { type: "reasoning" }>, id: string): Event[] {
  return pieces(item.raw ?? "", item.chunk).map((delta) => ({
    type: "response.reasoning_text.delta",
    item_id: id,
    content_index: 0,
    delta,
  }));
}
