import { describe, expect, it } from "vitest";
import type { Part } from "../../../schemas/index.js";
import { appendDelta } from "../../../src/store/reduce-part.js";
import { blocked, completed, pending, running, textPart, toolPart } from "./samples.js";

const place = { sessionID: "ses_1", messageID: "msg_1", id: "prt_1" };
const hello = textPart(place, "hello");

describe("appendDelta", () => {
  it("appends where the text ends", () => {
    expect(appendDelta(hello, "text", 5, " you")).toEqual({
      part: textPart(place, "hello you"),
      outcome: "appended",
      added: " you",
    });
  });

  it("changes nothing the second time", () => {
    const once = appendDelta(hello, "text", 5, " you").part;
    const twice = appendDelta(once, "text", 5, " you");
    expect(twice.outcome).toBe("covered");
    expect(twice.part).toBe(once);
  });

  it("appends only the new end of an overlapping delta", () => {
    expect(appendDelta(hello, "text", 3, "lo you")).toMatchObject({ part: { text: "hello you" }, added: " you" });
  });

  it("reports a hole and leaves the part as it is", () => {
    const result = appendDelta(hello, "text", 6, "!");
    expect(result.outcome).toBe("hole");
    expect(result.part).toBe(hello);
  });

  it("counts UTF-16 units", () => {
    expect(appendDelta(textPart(place, "👋"), "text", 2, "!").part).toMatchObject({ text: "👋!" });
  });

  const closed: [string, Part, "text" | "state.raw" | "state.metadata.output"][] = [
    ["a text that has ended", textPart(place, "", 9), "text"],
    ["a tool's text", toolPart(place, pending()), "text"],
    ["the raw input of a running tool", toolPart(place, running()), "state.raw"],
    ["the output of a pending tool", toolPart(place, pending()), "state.metadata.output"],
    ["the output of a completed tool", toolPart(place, completed("")), "state.metadata.output"],
    [
      "an output that is no text",
      toolPart(place, { ...running(), metadata: { output: 1 } } as never),
      "state.metadata.output",
    ],
    ["the raw input of a text", hello, "state.raw"],
    ["a file", { ...place, type: "file", mime: "text/plain", url: "file:///a" }, "text"],
  ];
  it.each(closed)("does not append to %s", (_, part, field) => {
    const result = appendDelta(part, field, 0, "x");
    expect(result.outcome).toBe("closed");
    expect(result.part).toBe(part);
  });

  it("appends to a tool's raw input and to its output", () => {
    const raw = appendDelta(toolPart(place, pending("{")), "state.raw", 1, "}").part;
    expect(raw).toEqual(toolPart(place, pending("{}")));
    const output = appendDelta(toolPart(place, running("a")), "state.metadata.output", 1, "b").part;
    expect(output).toEqual(toolPart(place, running("ab")));
    const first = appendDelta(toolPart(place, blocked("per_1")), "state.metadata.output", 0, "b").part;
    expect(first).toMatchObject({ state: { status: "blocked", metadata: { output: "b" } } });
  });

  it("appends to a text that has no times", () => {
    const { time: _, ...untimed } = hello;
    expect(appendDelta(untimed as Part, "text", 5, "!").part).toMatchObject({ text: "hello!" });
  });
});
