import { describe, expect, test } from "vitest";
import { childOf, subagent, text, working } from "./children.js";
import { type Json, native } from "./native.js";
import { Story, withCall } from "./story.js";

const LS = { command: "ls" };
const status = (change: Json) => ({ type: "system", subtype: "status", ...change });
const compacting = status({ status: "compacting" });
const compacted = status({ status: null, compact_result: "success" });
const boundary = (compact_metadata?: Json) => ({ type: "system", subtype: "compact_boundary", compact_metadata });
const harness = (content: unknown) => ({
  type: "user",
  isSynthetic: true,
  message: { role: "user", content },
  parent_tool_use_id: null,
});
const all = (trigger: string) => [compacting, compacted, boundary({ trigger }), harness("The summary.")];

const begun = () => new Story().prompt("go", "msg_own").lines(native.init());

/** The places that are marked, each with its summary. */
function compactions(story: Story) {
  const markers = story.parts.filter((part) => part.type === "compaction");
  return markers.map(({ auto, messageID }) => {
    const summaries = story.answersOfModel.filter(({ parentID }) => parentID === messageID);
    const texts = story.texts.filter((part) => summaries.some(({ id }) => id === part.messageID));
    return { auto, summaries, texts: texts.map((part) => part.text) };
  });
}

const told = (story: Story) => story.events.filter(({ type }) => type === "session.compacted");

describe("a compaction that was asked for", () => {
  test("is a marker and its summary; the local command's echo is no message", () => {
    const story = new Story()
      .prompt("/compact")
      .lines(
        native.init(),
        ...all("manual"),
        { type: "user", message: { role: "user", content: "<local-command-stdout>Compacted</local-command-stdout>" } },
        native.result({ terminal_reason: null }),
      );
    expect(compactions(story)).toMatchObject([
      { auto: false, texts: ["The summary."], summaries: [{ summary: true, finish: "stop" }] },
    ]);
    expect(told(story)).toEqual([{ type: "session.compacted", properties: { sessionID: story.session.id } }]);
    expect(JSON.stringify(story.events)).not.toContain("Compacted<");
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });

  test.each([
    ["a text", "The summary.", "The summary."],
    ["one block", [{ type: "text", text: "The summary." }], "The summary."],
    [
      "several blocks",
      [{ type: "text", text: "The" }, { type: "image" }, { type: "text", text: "summary." }],
      "The\n\nsummary.",
    ],
    ["nothing", [], ""],
  ])("its summary may come as %s", (_, content, summary) => {
    const story = begun().lines(boundary({ trigger: "manual" }), harness(content), native.result());
    expect(compactions(story)).toMatchObject([{ texts: [summary] }]);
    expect(story.texts).toMatchObject([{ synthetic: true }]);
    story.expectLawful();
  });

  test("leaves the next prompt an ordinary one", () => {
    const story = new Story().prompt("/compact").lines(native.init(), ...all("manual"), native.result());
    story.prompt("next", "msg_next").lines(native.init(), text("m", "Hello."), native.result());
    expect(story.answersOfModel.at(-1)).toMatchObject({ parentID: "msg_next", finish: "stop" });
    expect(story.answersOfModel.at(-1)).not.toHaveProperty("summary");
    story.expectLawful();
  });
});

describe("the session", () => {
  test("says since when it is compacting, and no more when that is over", () => {
    const story = begun().lines(compacting);
    expect(story.session.time.compacting).toBe(story.inputs.at(-1)?.at);
    story.lines(compacted);
    expect(story.session.time).not.toHaveProperty("compacting");
    story.lines(native.result()).expectLawful();
  });

  test.each([
    ["the next request", status({ status: "requesting" })],
    ["a failure", status({ status: null, compact_result: "failed", compact_error: "no" })],
    ["a change of mode", status({ permissionMode: "acceptEdits" })],
  ])("is no longer compacting with %s", (_, line) => {
    const story = begun().lines(compacting, line);
    expect(story.session.time).not.toHaveProperty("compacting");
    story.lines(native.result()).expectLawful();
  });

  test.each([[status({ status: "requesting" })], [compacted]])(
    "that was not compacting is told nothing by %j",
    (line) => {
      const story = begun();
      const before = story.events.length;
      story.lines(line);
      expect(story.events).toHaveLength(before);
      story.lines(native.result()).expectLawful();
    },
  );
});

describe("a compaction inside a turn", () => {
  test.each([
    ["auto", { trigger: "auto" }, true],
    ["of a kind nobody knows", { trigger: "tomorrow" }, true],
    ["without a trigger", {}, true],
    ["without anything", undefined, true],
    ["manual", { trigger: "manual" }, false],
  ])("%s", (_, metadata, auto) => {
    const story = begun().lines(boundary(metadata), harness("The summary."), native.result());
    expect(compactions(story)).toMatchObject([{ auto, texts: ["The summary."] }]);
    story.expectLawful();
  });

  test("the turn goes on under its own prompt", () => {
    const story = begun().lines(text("m1", "Before."), ...all("auto"), text("m2", "After."));
    expect(story.session.status).toEqual({ type: "busy" });
    story.lines(native.result());
    expect(story.session.status).toEqual({ type: "idle" });
    expect(story.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant", "assistant"]);
    expect(story.texts).toMatchObject([{ text: "Before." }, { text: "The summary." }, { text: "After." }]);
    expect(story.answersOfModel.map(({ parentID }) => parentID === "msg_own")).toEqual([true, false, true]);
    story.expectLawful();
  });

  test("with a tool open: the tool keeps its part and gets its result", () => {
    const story = withCall("t1", "Bash", LS).lines(...all("auto"));
    expect(story.tool("t1")).toMatchObject({ status: "running" });
    story.lines(native.toolResult("t1", "out"), text("m2", "End."), native.result());
    expect(story.tool("t1")).toMatchObject({ status: "completed", output: "out" });
    expect(compactions(story)).toMatchObject([{ texts: ["The summary."] }]);
    story.expectLawful();
  });

  test("with a tool blocked: the decision still counts", () => {
    const story = withCall("t1", "Bash", LS).lines(native.ask("r1", "t1", "Bash", LS), ...all("auto"));
    story.reply({ decision: "once" });
    expect(story.answers("r1")).toHaveLength(1);
    story.lines(native.toolResult("t1", "out"), native.result());
    expect(story.tool("t1")).toMatchObject({ status: "completed", block: { decision: "once" } });
    story.expectLawful();
  });

  test("while a text streams: the text ends where the marker is", () => {
    const story = begun().lines(
      native.start("m1"),
      native.open(0, { type: "text" }),
      native.text(0, "half"),
      boundary({ trigger: "auto" }),
    );
    expect(story.answersOfModel[0]?.time).toHaveProperty("completed");
    story.lines(native.text(0, " late"), harness("The summary."), native.result());
    expect(story.texts).toMatchObject([{ text: "half" }, { text: "The summary." }]);
    story.expectLawful();
  });

  test("twice: each has its own summary", () => {
    const story = begun().lines(
      boundary({ trigger: "auto" }),
      harness("First."),
      text("m", "Between."),
      boundary({ trigger: "auto" }),
      harness("Second."),
      native.result(),
    );
    expect(compactions(story)).toMatchObject([{ texts: ["First."] }, { texts: ["Second."] }]);
    expect(told(story)).toHaveLength(2);
    story.expectLawful();
  });

  test("only the first harness text after it is the summary", () => {
    const story = begun().lines(
      harness("Before it."),
      boundary({ trigger: "auto" }),
      { ...harness("By a person."), isSynthetic: false },
      harness("The summary."),
      harness("Go on."),
      native.result(),
    );
    expect(compactions(story)).toMatchObject([{ texts: ["The summary."] }]);
    expect(story.texts).toHaveLength(1);
    story.expectLawful();
  });

  test("the answer may come before the summary", () => {
    const story = begun().lines(
      boundary({ trigger: "auto" }),
      text("m", "After."),
      harness("The summary."),
      native.result(),
    );
    expect(compactions(story)).toMatchObject([{ texts: ["The summary."] }]);
    expect(story.texts).toMatchObject([{ text: "After." }, { text: "The summary." }]);
    story.expectLawful();
  });

  test("without a summary: the marker stands alone", () => {
    const story = begun().lines(boundary({ trigger: "auto" }), text("m", "After."), native.result());
    expect(compactions(story)).toEqual([{ auto: true, summaries: [], texts: [] }]);
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });

  test("a subagent at work is not touched", () => {
    const story = working().lines(...all("auto"), subagent.line(text("c", "Done."), "t1", "a1"), subagent.ended("a1"));
    expect(childOf(story)).toMatchObject({ texts: ["Done."], answers: [{ finish: "stop" }] });
    expect(compactions(story)).toMatchObject([{ texts: ["The summary."] }]);
    story.lines(native.toolResult("t1", "Done."), native.result()).expectLawful();
  });

  test("that nobody prompted is in a turn of the agent's own", () => {
    const story = begun().lines(native.result(), ...all("auto"));
    expect(story.session.status).toEqual({ type: "busy" });
    expect(compactions(story)).toMatchObject([{ texts: ["The summary."] }]);
    story.lines(native.result());
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });
});

describe("a compaction that fails", () => {
  test("leaves no marker; what the CLI says of it is a text that no model wrote", () => {
    const story = new Story()
      .prompt("/compact")
      .lines(
        native.init(),
        compacting,
        status({ status: null, compact_result: "failed", compact_error: "no" }),
        native.whole("s", { type: "text", text: "Error during compaction: no" }, { model: "<synthetic>" }),
        native.result({ terminal_reason: null }),
      );
    expect(compactions(story)).toEqual([]);
    expect(told(story)).toEqual([]);
    expect(story.session.time).not.toHaveProperty("compacting");
    expect(story.texts).toMatchObject([{ text: "Error during compaction: no", synthetic: true }]);
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });

  test("inside a turn: a harness text after it is no summary, and the turn goes on", () => {
    const story = begun().lines(
      compacting,
      status({ status: null, compact_result: "failed", compact_error: "no" }),
      harness("Go on."),
      text("m", "After."),
      native.result(),
    );
    expect(compactions(story)).toEqual([]);
    expect(story.texts).toMatchObject([{ text: "After." }]);
    story.expectLawful();
  });

  test.each([
    ["before its summary", [boundary({ trigger: "auto" })], 1],
    ["before its boundary", [compacting, compacted], 0],
  ])("because the process ends %s: the turn fails and nothing is open", (_, lines, markers) => {
    const story = begun()
      .lines(...lines)
      .exit({ code: 1, stderr: "boom" });
    expect(compactions(story)).toHaveLength(markers);
    expect(compactions(story).flatMap(({ summaries }) => summaries)).toEqual([]);
    expect(story.answersOfModel.at(-1)).toMatchObject({ parentID: "msg_own", finish: "error" });
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });

  test("because of an abort after its boundary: the turn is aborted, the marker stays", () => {
    const story = begun()
      .lines(boundary({ trigger: "auto" }))
      .abort()
      .lines(native.aborted("streaming"));
    expect(compactions(story)).toEqual([{ auto: true, summaries: [], texts: [] }]);
    expect(story.answersOfModel).toMatchObject([{ parentID: "msg_own", finish: "aborted" }]);
    story.expectLawful();
  });
});

describe("what a turn leaves of a compaction when it ends", () => {
  test.each([
    ["its process died", (story: Story) => story.exit({ code: 1 })],
    ["it was aborted", (story: Story) => story.abort().lines(native.result({ terminal_reason: "aborted_streaming" }))],
  ])("is nothing, after %s", (_, end) => {
    const story = end(begun().lines(compacting));
    expect(story.session.time).not.toHaveProperty("compacting");
  });

  test("a later harness text is no summary of it", () => {
    const story = begun().lines(boundary()).exit({ code: 1 }).prompt("b").lines(native.init(), harness("Output limit"));
    expect(compactions(story)).toMatchObject([{ summaries: [] }]);
  });
});

test("a harness text of a subagent is no summary of the conversation", () => {
  const story = withCall("t1", "Agent", { prompt: "Look" }).lines(
    subagent.started("a1", "t1"),
    boundary(),
    { ...harness("Not this."), parent_tool_use_id: "t1", agent_id: "a1" },
    harness("The summary."),
  );
  expect(compactions(story)).toMatchObject([{ texts: ["The summary."] }]);
});
