import type { PromptPart } from "../../schemas/index.js";
import { isRecord } from "../shared/is-record.js";
import { acceptPrompt, beginTurn } from "../shared/prompts.js";
import type { ThreadItem } from "./frame.js";
import { currentModel } from "./model.js";
import { abandonResponse } from "./responses.js";
import type { CodexDraft } from "./state.js";

/**
 * A prompt as the app-server echoes it. Ours are in the conversation already; in the middle of a turn one has cut off the
 * response that ran. Any other comes from elsewhere: the parent of a subagent, another client.
 */
export function onUserItem(draft: CodexDraft, item: ThreadItem): void {
  const { thread, transcript } = draft;
  if (thread.items[item.id]) return;
  thread.items[item.id] = { kind: "done" };
  // What the reviewer is told is the CLI's own.
  if (thread.reviewCall !== null) return;
  abandonResponse(draft, "aborted");
  draft.state.steered = draft.state.steered.filter(({ info, nativeID }) => (nativeID ?? info.id) !== item.clientId);
  if (thread.unechoed > 0) {
    thread.unechoed -= 1;
    return;
  }
  const prompt = acceptPrompt(draft, { parts: promptParts(item.content) }, currentModel(draft), false);
  if (!prompt) return;
  if (transcript.turn) joinRunningTurn(draft, prompt.info.id);
  else beginTurn(draft, prompt.info.id);
}

/** What is said from now on answers this prompt. */
export function joinRunningTurn(draft: CodexDraft, userMessageID: string): void {
  const { transcript, thread } = draft;
  if (!transcript.turn) return;
  transcript.turn.userMessageID = userMessageID;
  transcript.lastUserMessageID = userMessageID;
  thread.steered = true;
}

export function promptParts(content: unknown): PromptPart[] {
  return Array.isArray(content) ? content.filter(isRecord).flatMap(promptPart) : [];
}

function promptPart(input: Record<string, unknown>): PromptPart[] {
  if (input.type === "text") return input.text ? [{ type: "text", text: String(input.text) }] : [];
  if (input.type === "image" && typeof input.url === "string") {
    return [{ type: "file", mime: /^data:([^;,]+)/.exec(input.url)?.[1] ?? "image/*", url: input.url }];
  }
  if (input.type === "localImage" && typeof input.path === "string") {
    return [{ type: "file", mime: "image/*", url: `file://${input.path}` }];
  }
  return typeof input.name === "string" ? [{ type: "text", text: `@${input.name}` }] : [];
}
