import { expect, test } from "vitest";
import { appendText, closeText, closeTexts, openText } from "../../../../adapters/shared/open-text.js";
import { createTurn, draftAt, eventsOf, partsOf } from "./draft.js";

test("each delta says the length before it, in UTF-16 units", () => {
  const { draft, message } = createTurn();
  const id = openText(draft, message, "text");
  for (const piece of ["aé", "👩‍👧", "", "z"]) appendText(draft, id, piece);
  const deltas = eventsOf(draft).filter((event) => event.type === "message.part.delta");
  expect(deltas.map(({ properties }) => [properties.offset, properties.delta])).toEqual([
    [0, "aé"],
    [2, "👩‍👧"],
    [7, "z"],
  ]);
});

test("a closed part has the whole text and its end, and hears nothing more", () => {
  const { draft, message } = createTurn();
  const id = openText(draft, message, "text");
  appendText(draft, id, "stream");
  const later = draftAt(draft.transcript, draft.at + 5);
  closeText(later, id);
  appendText(later, id, "late");
  closeText(later, id, { text: "later still" });
  expect(partsOf(later)).toMatchObject([{ id, text: "stream", time: { start: draft.at, end: draft.at + 5 } }]);
  expect(later.outputs).toHaveLength(1);
});

test("the agent's own whole text replaces what was streamed", () => {
  const { draft, message } = createTurn();
  const id = openText(draft, message, "text");
  appendText(draft, id, "strea");
  closeText(draft, id, { text: "whole" });
  expect(partsOf(draft).at(-1)).toMatchObject({ text: "whole" });
});

test.each([
  ["text", true],
  ["reasoning", undefined],
] as const)("an abandoned %s stays readable and is marked", (type, ignored) => {
  const { draft, message } = createTurn();
  const id = openText(draft, message, type, { own: 1 });
  appendText(draft, id, "half");
  closeText(draft, id, { abandoned: true });
  const part = partsOf(draft).at(-1);
  expect(part).toMatchObject({ text: "half", metadata: { own: 1, abandoned: true } });
  expect(part && "ignored" in part ? part.ignored : undefined).toBe(ignored);
});

test("the texts of one message close without those of another", () => {
  const { draft, message } = createTurn();
  openText(draft, message, "text");
  const other = openText(draft, { ...message, id: "msg_other" }, "text");
  closeTexts(draft, message.id);
  expect(Object.keys(draft.transcript.texts)).toEqual([other]);
  closeTexts(draft);
  expect(draft.transcript.texts).toEqual({});
});
