import type { MessageResponse, ScriptedBlock } from "./script.js";

/** Fills in what an answer quotes of its request. A quote that is not found stays as it is written and is told. */
export function recallInto(
  response: MessageResponse,
  body: Readonly<Record<string, unknown>>,
): { response: MessageResponse; missing: string[] } {
  const recall = Object.entries(response.recall ?? {});
  if (recall.length === 0) return { response, missing: [] };
  const heard = stringsIn(body).join("\n");
  const missing: string[] = [];
  const quotes = recall.flatMap(([name, pattern]) => {
    const value = [...heard.matchAll(new RegExp(pattern, "g"))].at(-1)?.[1];
    if (value === undefined) missing.push(name);
    return value === undefined ? [] : [{ slot: `{{${name}}}`, value }];
  });
  const fill = (text: string) => quotes.reduce((filled, { slot, value }) => filled.replaceAll(slot, value), text);
  return { response: { ...response, blocks: response.blocks.map((block) => filledBlock(block, fill)) }, missing };
}

function filledBlock(block: ScriptedBlock, fill: (text: string) => string): ScriptedBlock {
  switch (block.type) {
    case "text":
      return { ...block, text: fill(block.text) };
    case "thinking":
      return { ...block, thinking: fill(block.thinking) };
    case "tool_use":
      return { ...block, json: fill(block.json) };
  }
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}
