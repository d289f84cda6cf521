// The lines of a Claude Code turn, in the shapes of a recorded one: only texts and ids differ.
import { readFileSync } from "node:fs";

const TRACE = new URL("../../../golden-traces/claude/text/native.jsonl", import.meta.url);
/** Mostly ASCII, as agents write: about every fifth piece of 30 characters holds something wider. */
const WORDS = [
  "the function returns a value when its input is valid, so we should check how errors are handled in src/index.ts and",
  'then update the tests – größer, 漢字 – run "npm test" and fix what fails;\n  await import type export string number',
  "read the file, edit the line, write it back and run the build again before anything else is added to the log ",
]
  .join(" ")
  .repeat(8);
/** Odd against the length of the words, so that no two neighbours are alike. */
const STRIDE = 37;

const frames = readFileSync(TRACE, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line).frame)
  .filter((frame) => frame !== undefined);

const find = (fits) => structuredClone(frames.find(fits));
const streamed = (type) => find((frame) => frame.event?.type === type);

const INIT = find((frame) => frame.subtype === "init");
const RESULT = find((frame) => frame.type === "result");
const ASSISTANT = find((frame) => frame.type === "assistant");
const DELTA = streamed("content_block_delta");

export const answerTo = (request) => ({
  type: "control_response",
  response: { subtype: "success", request_id: request.request_id, response: {} },
});

/** A piece of text of a length, another one for each number. */
export function textOf(number, length) {
  const start = (number * STRIDE) % (WORDS.length - length);
  return WORDS.slice(start, start + length);
}

/** All that a turn of so many pieces says. */
export function textOfTurn({ deltas, length }) {
  return Array.from({ length: deltas }, (_, number) => textOf(number, length)).join("");
}

export const initLine = (sessionID = INIT.session_id) => line({ ...INIT, session_id: sessionID });

/** The end of the turn of the prompt with this uuid. */
export function resultLine(prompt) {
  return line({ ...RESULT, user_message_uuid: prompt, user_message_uuids: [prompt] });
}

/** What stands before the deltas of a response with one text block. */
export function openingLines(id) {
  const start = streamed("message_start");
  start.event.message.id = id;
  return line({ ...start, api_message_id: id }) + line({ ...streamed("content_block_start"), api_message_id: id });
}

export function deltaLine(id, text, number) {
  const event = { ...DELTA.event, delta: { type: "text_delta", text } };
  return line({ ...DELTA, event, uuid: uuid(number), api_message_id: id });
}

/** The whole text again, as the CLI says it, and the end of the response. */
export function closingLines(id, text) {
  const assistant = structuredClone(ASSISTANT);
  assistant.message.id = id;
  assistant.message.content = [{ type: "text", text }];
  const ends = ["content_block_stop", "message_delta", "message_stop"];
  return line(assistant) + ends.map((type) => line({ ...streamed(type), api_message_id: id })).join("");
}

function line(frame) {
  return `${JSON.stringify(frame)}\n`;
}

function uuid(number) {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}
