import fc from "fast-check";
import type { Part, Session, WireEvent } from "../../../schemas/index.js";
import { EMPTY_STATE, type MessageState, reduce, type WireState } from "../../../src/store/reduce.js";
import * as make from "./samples.js";

/** A choice that a story is told from: what to do, and where. */
interface Choice {
  readonly act: Act;
  readonly pick: number;
  readonly text: string;
}

type Act = (typeof ACTS)[number];
/** Named as often as they should happen. */
const ACTS = [
  "newSession",
  "newMessage",
  "newMessage",
  "openText",
  "openText",
  "openTool",
  "openTool",
  "delta",
  "delta",
  "delta",
  "delta",
  "delta",
  "delta",
  "advanceTool",
  "advanceTool",
  "closeText",
  "patchWhole",
  "retitle",
  "setStatus",
  "fail",
  "updateMessage",
  "setTodos",
  "touchFile",
  "removePart",
  "removeMessage",
  "deleteSession",
  "bringBack",
  "sayAgain",
  "sayAgain",
] as const;

const choice: fc.Arbitrary<Choice> = fc.record({
  act: fc.constantFrom(...ACTS),
  pick: fc.nat(1000),
  text: fc.string({ minLength: 1, maxLength: 6 }),
});

/** What agents may say: events about sessions, messages and parts that exist, in an order that makes sense. */
export const legalEvents: fc.Arbitrary<readonly WireEvent[]> = fc
  .array(choice, { minLength: 5, maxLength: 70, size: "max" })
  .map((choices) => new Story().tell(choices));

/** Ends every part that is open, with the whole of its text. */
export function closeAll(state: WireState): WireEvent[] {
  return allParts(state)
    .map((part) => (isText(part) ? closeText(part) : finishTool(part)))
    .filter((part) => part !== undefined)
    .map(make.partUpdated);
}

export function reduceAll(events: readonly WireEvent[], from: WireState = EMPTY_STATE): WireState {
  return events.reduce(reduce, from);
}

class Story {
  readonly #events: WireEvent[] = [];
  /** Events that made what was removed since. */
  readonly #gone: WireEvent[] = [];
  #state = EMPTY_STATE;
  #ids = 0;

  tell(choices: readonly Choice[]): readonly WireEvent[] {
    this.#say(make.created(make.session("ses_0")));
    for (const each of choices) {
      const event = this.#next(each);
      if (event !== undefined) this.#say(event);
    }
    return this.#events;
  }

  #say(event: WireEvent): void {
    this.#events.push(event);
    this.#state = reduce(this.#state, event);
  }

  #id(prefix: string): string {
    this.#ids += 1;
    return `${prefix}_${String(this.#ids).padStart(4, "0")}`;
  }

  #next({ act, pick, text }: Choice): WireEvent | undefined {
    const state = this.#state;
    const info = any(Object.values(state.sessions), pick)?.info;
    const at = any(allMessages(state), pick);
    switch (act) {
      case "newSession":
        return this.#newSession(info, pick);
      case "newMessage":
        return info && make.message(this.#newMessage(info.id, pick));
      case "openText":
        return at && make.partUpdated(make.textPart(this.#place(at)));
      case "openTool":
        return at && make.partUpdated(make.toolPart(this.#place(at), make.pending()));
      case "delta":
        return deltaOf(any(allParts(state).filter(isOpen).slice(-3), pick), text);
      case "advanceTool":
        return updatedPart(advanceTool(any(allParts(state).filter(isOpenTool), pick), pick, text));
      case "closeText":
        return updatedPart(closeText(any(allParts(state).filter(isText), pick)));
      case "patchWhole":
        return updatedPart(any(allParts(state).filter(isOpen), pick));
      case "retitle":
        return info && make.updated({ ...info, title: text });
      case "setStatus":
        return info && { type: "session.status", properties: { sessionID: info.id, status: status(pick) } };
      case "fail":
        return info && { type: "session.error", properties: { sessionID: info.id, error: failure(text) } };
      case "updateMessage":
        return at && make.message({ ...at.info, metadata: { text } });
      case "setTodos":
        return info && { type: "todo.updated", properties: { sessionID: info.id, todos: todos(pick, text) } };
      case "touchFile":
        return info && { type: "file.edited", properties: { sessionID: info.id, file: text } };
      case "removePart":
        return pick % 3 === 0 ? this.#removePart(any(allParts(state), pick)) : undefined;
      case "removeMessage":
        return pick % 3 === 0 ? this.#removeMessage(at) : undefined;
      case "deleteSession":
        return pick % 4 === 0 && info ? { type: "session.deleted", properties: { sessionID: info.id } } : undefined;
      case "bringBack":
        return any(this.#gone, pick);
      case "sayAgain":
        return any(this.#events.filter(isRow).slice(-6), pick);
    }
  }

  #newSession(parent: Session | undefined, pick: number): WireEvent | undefined {
    if (Object.keys(this.#state.sessions).length >= 5) return undefined;
    const time = { created: pick % 7, updated: 1 };
    const under = pick % 3 > 0 && parent !== undefined ? { parentID: parent.id } : {};
    return make.created(make.session(this.#id("ses"), { time, ...under }));
  }

  #newMessage(sessionID: string, pick: number) {
    const id = this.#id("msg");
    return pick % 2 === 0 ? make.userMessage(sessionID, id, pick % 5) : make.assistantMessage(sessionID, id, pick % 5);
  }

  #place({ info }: MessageState) {
    return { sessionID: info.sessionID, messageID: info.id, id: this.#id("prt") };
  }

  #removePart(part: Part | undefined): WireEvent | undefined {
    if (part === undefined) return undefined;
    this.#gone.push(make.partUpdated(part));
    const { sessionID, messageID, id: partID } = part;
    return { type: "message.part.removed", properties: { sessionID, messageID, partID } };
  }

  #removeMessage(at: MessageState | undefined): WireEvent | undefined {
    if (at === undefined) return undefined;
    this.#gone.push(make.message(at.info));
    return { type: "message.removed", properties: { sessionID: at.info.sessionID, messageID: at.info.id } };
  }
}

/** What is said again when frames are taken again after a restart; it may be older than what was said since. */
function isRow({ type }: WireEvent): boolean {
  return type === "message.updated" || type === "message.part.updated" || type === "todo.updated";
}

function any<T>(list: readonly T[], pick: number): T | undefined {
  return list[pick % Math.max(list.length, 1)];
}

function allMessages(state: WireState): MessageState[] {
  return Object.values(state.sessions).flatMap(({ messages }) => Object.values(messages));
}

function allParts(state: WireState): Part[] {
  return allMessages(state).flatMap(({ parts }) => Object.values(parts));
}

function isText(part: Part): part is make.TextPart {
  return part.type === "text" || part.type === "reasoning";
}

function isOpenTool(part: Part): part is make.ToolPart {
  return part.type === "tool" && part.state.status !== "completed" && part.state.status !== "error";
}

function isOpen(part: Part): boolean {
  return isText(part) ? part.time?.end === undefined : isOpenTool(part);
}

function deltaOf(part: Part | undefined, text: string): WireEvent | undefined {
  if (part === undefined) return undefined;
  if (isText(part)) return make.delta(part, part.text.length, text);
  if (part.type !== "tool") return undefined;
  if (part.state.status === "pending") return make.delta(part, part.state.raw.length, text, "state.raw");
  return make.delta(part, outputOf(part).length, text, "state.metadata.output");
}

function outputOf({ state }: make.ToolPart): string {
  const output = state.status === "pending" ? undefined : state.metadata?.output;
  return typeof output === "string" ? output : "";
}

function updatedPart(part: Part | undefined): WireEvent | undefined {
  return part && make.partUpdated(part);
}

function closeText(part: make.TextPart | undefined): Part | undefined {
  if (part === undefined || part.time?.end !== undefined) return undefined;
  return { ...part, time: { start: 1, end: 2 } };
}

function finishTool(part: Part): Part | undefined {
  return isOpenTool(part) ? { ...part, state: make.completed(outputOf(part)) } : undefined;
}

function advanceTool(part: make.ToolPart | undefined, pick: number, text: string): Part | undefined {
  if (part === undefined) return undefined;
  const { status } = part.state;
  if (status === "pending")
    return { ...part, state: pick % 3 === 0 ? make.blocked(`per_${text.length}`) : make.running() };
  if (status === "blocked") return { ...part, state: make.running("") };
  return pick % 2 === 0 ? finishTool(part) : { ...part, state: make.blocked(`per_${text.length}`) };
}

function status(pick: number): Session["status"] {
  return pick % 2 === 0 ? { type: "busy" } : { type: "idle" };
}

function failure(message: string): NonNullable<Session["error"]> {
  return { name: "unknown", message, retryable: false };
}

function todos(pick: number, content: string) {
  return Array.from({ length: pick % 3 }, () => ({ content, status: "pending" as const, priority: "low" as const }));
}
