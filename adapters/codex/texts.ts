import { z } from "zod";
import { appendText, closeText, openText } from "../shared/open-text.js";
import type { ThreadItem } from "./frame.js";
import { currentMessage } from "./responses.js";
import type { CodexDraft } from "./state.js";

const text = z.string();
const MessageItem = z.looseObject({
  text,
  phase: text.nullish(),
  delivery: text.nullish(),
  questions: z.array(z.unknown()).nullish(),
});
const ReasoningItem = z.looseObject({ summary: z.array(text), content: z.array(text).nullish() });

/** The one section of an item that is a single text. */
const WHOLE = "text";

type TextType = "text" | "reasoning";

/** An item that may have begun before: the model's ids come again, also within a turn. */
export function startText(draft: CodexDraft, item: ThreadItem): void {
  draft.thread.items[item.id] = { kind: "text", parts: {} };
  // Reasoning may be all encrypted: its parts open with their first text.
  if (item.type !== "reasoning") openSection(draft, item.id, WHOLE, "text", nativeOf(item));
}

/** Nothing of an item that was completed or cut comes again. One whose start was not told begins here. */
export function appendSection(draft: CodexDraft, itemID: string, section: string, type: TextType, delta: string): void {
  const partID = openSection(draft, itemID, section, type, { itemID, ...(section !== WHOLE && { section }) });
  if (partID !== undefined) appendText(draft, partID, delta);
}

function openSection(
  draft: CodexDraft,
  itemID: string,
  section: string,
  type: TextType,
  native: Record<string, unknown>,
): string | undefined {
  const { items } = draft.thread;
  items[itemID] ??= { kind: "text", parts: {} };
  const item = items[itemID];
  if (item.kind !== "text") return undefined;
  item.parts[section] ??= openText(draft, currentMessage(draft), type, { native });
  return item.parts[section];
}

/** The end of an item holds its whole text, which is the right one: it may never have been streamed. */
export function endText(draft: CodexDraft, item: ThreadItem): void {
  if (draft.thread.items[item.id]?.kind === "done") return;
  if (item.type === "reasoning") endReasoning(draft, item);
  else endMessage(draft, item);
  draft.thread.items[item.id] = { kind: "done" };
}

function endMessage(draft: CodexDraft, item: ThreadItem): void {
  const { data } = MessageItem.safeParse(item);
  const native = nativeOf(item);
  const partID = openSection(draft, item.id, WHOLE, "text", native);
  if (partID === undefined) return;
  closeText(draft, partID, { ...(data && { text: data.text }), metadata: { native } });
  if (item.type === "agentMessage") draft.thread.lastText = data?.text ?? "";
}

/** A summary has several sections, and some providers show the raw thoughts beside it: each is a part. */
function endReasoning(draft: CodexDraft, item: ThreadItem): void {
  const { summary = [], content } = ReasoningItem.safeParse(item).data ?? {};
  const whole = { ...sections("summary", summary), ...sections("raw", content ?? []) };
  for (const [section, value] of Object.entries(whole)) {
    const partID = openSection(draft, item.id, section, "reasoning", { itemID: item.id, section });
    if (partID !== undefined) closeText(draft, partID, { text: value });
  }
  const open = draft.thread.items[item.id];
  if (open?.kind === "text") for (const partID of Object.values(open.parts)) closeText(draft, partID);
}

function sections(name: string, texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(texts.map((value, i) => [`${name}.${i}`, value]));
}

function nativeOf(item: ThreadItem): Record<string, unknown> {
  const { phase, delivery, questions } = MessageItem.safeParse(item).data ?? {};
  return {
    itemID: item.id,
    ...(item.type !== "agentMessage" && { type: item.type }),
    ...(phase != null && { phase }),
    ...(delivery != null && { delivery }),
    ...(questions != null && questions.length > 0 && { questions }),
  };
}
