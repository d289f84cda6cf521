import type { Part } from "../../schemas/index.js";
import { emitPart, noteNative, partOf } from "../shared/assistant-message.js";
import { appendText, closeText, openText } from "../shared/open-text.js";
import { relativePath } from "../shared/relative-path.js";
import { errorOf } from "./errors.js";
import { fileOf } from "./files.js";
import type { NativePart, NativePartOf, PropertiesOf } from "./frame.js";
import { onStepFinish } from "./messages.js";
import type { OpencodeDraft, OpenMessage } from "./state.js";
import { onToolPart } from "./tool-parts.js";
import { onUserPart } from "./user-messages.js";

/** A part as it is now: the server sends it whole each time. */
export function onPart(draft: OpencodeDraft, part: NativePart): void {
  const message = draft.thread.open[part.messageID];
  if (!message) return onUserPart(draft, part);
  switch (part.type) {
    case "text":
    case "reasoning":
      return onText(draft, message, part);
    case "tool":
      return onToolPart(draft, message, part);
    // Its beginning is told with the message.
    case "step-start":
      return part.snapshot == null ? undefined : noteNative(draft, message.id, { snapshot: part.snapshot });
    case "step-finish":
      return onStep(draft, message, part);
    default:
      return onOther(draft, message, part);
  }
}

export function onDelta(draft: OpencodeDraft, delta: PropertiesOf<"message.part.delta">): void {
  const part = draft.thread.open[delta.messageID]?.parts[delta.partID];
  if (part?.kind === "text" && delta.field === "text") appendText(draft, part.partID, delta.delta);
}

function onText(draft: OpencodeDraft, message: OpenMessage, part: NativePartOf<"text" | "reasoning">): void {
  const known = message.parts[part.id];
  if (known && known.kind !== "text") return;
  const { id: sessionID } = draft.transcript.session;
  const partID =
    known?.partID ?? openText(draft, { id: message.id, sessionID }, part.type, { native: { partID: part.id } });
  message.parts[part.id] = { kind: "text", partID };
  if (part.time?.end === undefined) return catchUp(draft, partID, part.text);
  closeText(draft, partID, { text: part.text, synthetic: part.synthetic === true });
  message.parts[part.id] = { kind: "done" };
}

/** What was streamed while nobody listened. */
function catchUp(draft: OpencodeDraft, partID: string, whole: string): void {
  const text = draft.transcript.texts[partID]?.text ?? "";
  if (whole.startsWith(text)) appendText(draft, partID, whole.slice(text.length));
}

function onStep(draft: OpencodeDraft, message: OpenMessage, part: NativePartOf<"step-finish">): void {
  if (message.parts[part.id]) return;
  message.parts[part.id] = { kind: "done" };
  onStepFinish(message, part, draft);
}

type OtherPart = Exclude<NativePart, NativePartOf<"text" | "reasoning" | "tool" | "step-start" | "step-finish">>;

function onOther(draft: OpencodeDraft, message: OpenMessage, part: OtherPart): void {
  const known = message.parts[part.id];
  const base =
    known?.kind === "other"
      ? { id: known.partID, sessionID: draft.transcript.session.id, messageID: message.id }
      : partOf(draft, { id: message.id, sessionID: draft.transcript.session.id });
  message.parts[part.id] = { kind: "other", partID: base.id };
  emitPart(draft, { ...base, ...contentOf(draft, part) } as Part);
}

function contentOf(draft: OpencodeDraft, part: OtherPart): Record<string, unknown> {
  const { directory } = draft.transcript.session;
  switch (part.type) {
    case "patch":
      return { type: part.type, hash: part.hash, files: part.files.map((file) => relativePath(file, directory)) };
    case "snapshot":
      return { type: part.type, snapshot: part.snapshot };
    case "agent":
      return { type: part.type, name: part.name };
    case "subtask": {
      const { prompt, description, agent, command } = part;
      return { type: part.type, prompt, description, agent, ...(command != null && { command }) };
    }
    case "compaction":
      return { type: part.type, auto: part.auto, ...(part.overflow != null && { overflow: part.overflow }) };
    case "retry":
      return { type: part.type, attempt: part.attempt, error: errorOf(part.error), time: { created: draft.at } };
    case "file":
      return fileOf(part);
  }
}
