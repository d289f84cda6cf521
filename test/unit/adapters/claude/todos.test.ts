import { describe, expect, test } from "vitest";
import type { Todo } from "../../../../schemas/index.js";
import { childOf, subagent } from "./children.js";
import { type Json, native } from "./native.js";
import { Story } from "./story.js";

interface Call {
  name: string;
  input: Json;
  output: unknown;
  structured?: unknown;
  isError?: boolean;
}

const lists = (story: Story) =>
  story.events.flatMap((event) => (event.type === "todo.updated" ? [event.properties] : []));

/** The list as a client has it: its contents, and how far each is. */
function listOf(story: Story): string[] | undefined {
  return lists(story)
    .at(-1)
    ?.todos.map(({ content, status }: Todo) => `${content}: ${status}`);
}

function linesOf(calls: readonly Call[], prefix = "t"): Json[] {
  return calls.flatMap(({ name, input, output, structured, isError }, i) => [
    native.whole(`m_${prefix}${i}`, native.call(`${prefix}${i}`, name, input)),
    native.toolResult(
      `${prefix}${i}`,
      output,
      { is_error: isError === true },
      structured === undefined ? {} : { tool_use_result: structured },
    ),
  ]);
}

const called = (...calls: Call[]) => new Story().prompt().lines(native.init(), ...linesOf(calls));

const todo = (content: unknown, status: unknown = "pending") => ({ content, status });

const write = (todos: unknown, structured?: unknown): Call => ({
  name: "TodoWrite",
  input: { todos },
  output: "Todos have been modified successfully.",
  structured,
});
const create = (id: string, subject: string): Call => ({
  name: "TaskCreate",
  input: { subject },
  output: `Task #${id} created successfully: ${subject}`,
  structured: { task: { id, subject } },
});
const update = (taskId: unknown, change: Json): Call => ({
  name: "TaskUpdate",
  input: { taskId, ...change },
  output: `Updated task #${taskId}`,
  structured: { success: true, taskId },
});
const read = (tasks: unknown): Call => ({ name: "TaskList", input: {}, output: "#1 ...", structured: { tasks } });

describe("the whole list", () => {
  test("is replaced by each one that follows", () => {
    const story = called(write([todo("A"), todo("B", "in_progress")]), write([todo("B", "completed")]));
    expect(lists(story).map(({ todos }) => todos.length)).toEqual([2, 1]);
    expect(listOf(story)).toEqual(["B: completed"]);
    story.lines(native.result()).expectLawful();
  });

  test("may become empty", () => {
    const story = called(write([todo("A")]), write([]));
    expect(listOf(story)).toEqual([]);
    story.lines(native.result()).expectLawful();
  });

  test("is the one of the result where the result has one", () => {
    const story = called(write([todo("asked")], { newTodos: [todo("kept", "completed")] }));
    expect(listOf(story)).toEqual(["kept: completed"]);
    story.lines(native.result()).expectLawful();
  });

  test("is told only with the result, not with the call", () => {
    const story = new Story().prompt();
    const [call = {}, result = {}] = linesOf([write([todo("A")])]);
    story.lines(native.init(), call);
    expect(lists(story)).toEqual([]);
    story.lines(result);
    expect(listOf(story)).toEqual(["A: pending"]);
    story.lines(native.result()).expectLawful();
  });

  test("that was refused changes nothing", () => {
    const story = called(write([todo("A")]), { ...write([todo("B")]), isError: true });
    expect(lists(story)).toHaveLength(1);
    expect(listOf(story)).toEqual(["A: pending"]);
    story.lines(native.result()).expectLawful();
  });

  test("whose result comes again is not set back", () => {
    const first = linesOf([write([todo("A")])]);
    const story = called(write([todo("A")]), write([todo("B")])).lines(...first.slice(1));
    expect(listOf(story)).toEqual(["B: pending"]);
    story.lines(native.result()).expectLawful();
  });

  test("stays when the turn, or the process, ends", () => {
    const story = called(write([todo("A", "in_progress")])).lines(native.result());
    story.exit({ code: 1 }).prompt("two").lines(native.init(), native.result());
    expect(lists(story)).toHaveLength(1);
    story.expectLawful();
  });
});

describe("one by one", () => {
  test("entries are added at the end, changed in place and removed", () => {
    const story = called(
      create("1", "A"),
      create("2", "B"),
      create("3", "C"),
      update("2", { status: "in_progress" }),
      update("1", { status: "completed", subject: "A'" }),
      update("3", { status: "deleted" }),
    );
    expect(listOf(story)).toEqual(["A': completed", "B: in_progress"]);
    story.lines(native.result()).expectLawful();
  });

  test.each([
    ["the structured result", { output: "made", structured: { task: { id: "7" } } }],
    ["the structured result, as a number", { output: "made", structured: { task: { id: 7 } } }],
    ["the text, where that is all there is", { output: "Task #7 created successfully: A", structured: undefined }],
    [
      "the text, in blocks",
      { output: [{ type: "text", text: "Task #7 created successfully: A" }], structured: undefined },
    ],
  ])("the id is read from %s", (_, result) => {
    const story = called({ ...create("7", "A"), ...result }, update("7", { status: "completed" }));
    expect(listOf(story)).toEqual(["A: completed"]);
    story.lines(native.result()).expectLawful();
  });

  test("without an id anywhere, the place is the id", () => {
    const noID = { output: "made", structured: undefined };
    const story = called(
      { ...create("1", "A"), ...noID },
      { ...create("2", "B"), ...noID },
      update("2", { status: "completed" }),
    );
    expect(listOf(story)).toEqual(["A: pending", "B: completed"]);
    story.lines(native.result()).expectLawful();
  });

  test.each([
    ["an unknown id", update("9", { status: "completed" })],
    ["no id", update(null, { status: "completed" })],
    ["an id that is no word", update({ id: 1 }, { status: "deleted" })],
    ["an unknown id, to remove", update("9", { status: "deleted" })],
    ["the id, and nothing else", update("1", {})],
    ["a subject that is no text", update("1", { subject: 5 })],
    ["a failure", { ...update("1", { status: "completed" }), isError: true }],
  ])("an update with %s leaves the list as it is", (_, call) => {
    const story = called(create("1", "A"), create("2", "B"), call);
    expect(listOf(story)).toEqual(["A: pending", "B: pending"]);
    story.lines(native.result()).expectLawful();
  });

  test("an update may name its entry by a number", () => {
    const story = called(create("1", "A"), update(1, { status: "completed" }));
    expect(listOf(story)).toEqual(["A: completed"]);
    story.lines(native.result()).expectLawful();
  });

  test("an entry that was removed is not changed any more, and the next gets its own id", () => {
    const story = called(
      create("1", "A"),
      update("1", { status: "deleted" }),
      create("2", "B"),
      update("1", { status: "completed" }),
      update("2", { status: "in_progress" }),
    );
    expect(listOf(story)).toEqual(["B: in_progress"]);
    story.lines(native.result()).expectLawful();
  });

  test("removing the last leaves an empty list", () => {
    const story = called(create("1", "A"), update("1", { status: "deleted" }));
    expect(listOf(story)).toEqual([]);
    story.lines(native.result()).expectLawful();
  });

  test("two made at once keep the ids of their results, in the order these come", () => {
    const [callA = {}, resultA = {}, callB = {}, resultB = {}] = linesOf([create("1", "A"), create("2", "B")]);
    const story = new Story().prompt().lines(native.init(), callA, callB, resultB, resultA);
    story.lines(...linesOf([update("2", { status: "completed" })], "u"));
    expect(listOf(story)).toEqual(["B: completed", "A: pending"]);
    story.lines(native.result()).expectLawful();
  });

  test("the agent's own reading of the list is the list", () => {
    const story = called(
      create("1", "A"),
      read([
        { id: "1", subject: "A", status: "completed" },
        { id: "5", subject: "E", status: "in_progress" },
      ]),
      update("5", { status: "completed" }),
    );
    expect(listOf(story)).toEqual(["A: completed", "E: completed"]);
    story.lines(native.result()).expectLawful();
  });

  test("an update of a written list goes by the place", () => {
    const story = called(write([todo("A"), todo("B")]), update("2", { status: "completed" }));
    expect(listOf(story)).toEqual(["A: pending", "B: completed"]);
    story.lines(native.result()).expectLawful();
  });
});

describe("a status", () => {
  test.each([
    ["pending", "pending"],
    ["in_progress", "in_progress"],
    ["completed", "completed"],
    ["cancelled", "cancelled"],
    ["of tomorrow", "pending"],
    [null, "pending"],
    [3, "pending"],
  ])("%j is told as %s", (said, told) => {
    const story = called(write([{ content: "A", status: said }]));
    expect(lists(story).at(-1)?.todos).toEqual([{ content: "A", status: told, priority: "medium" }]);
    story.lines(native.result()).expectLawful();
  });
});

describe("what cannot be read", () => {
  test.each([
    ["a list that is a text", write("A, B")],
    ["a list that is missing", { ...write([]), input: {} }],
    ["a list that is an object", write({ 0: todo("B") })],
    ["a result whose list is none", write([todo("B")], { newTodos: "none" })],
    ["a reading that is a text", read("A")],
    ["a reading without a structured result", { ...read([]), structured: "text" }],
    ["a tool that only looks", { name: "TaskGet", input: { taskId: "1" }, output: "#1", structured: { task: {} } }],
    ["a tool of another name", { ...write([todo("B")]), name: "mcp__todo__TodoWrite" }],
  ])("%s is ignored, and the call has its result", (_, call) => {
    const story = called(write([todo("A")]), call);
    expect(lists(story)).toHaveLength(1);
    expect(listOf(story)).toEqual(["A: pending"]);
    expect(story.tool("t1")).toMatchObject({ status: "completed" });
    story.lines(native.result()).expectLawful();
  });

  test("entries of a list that are none are left out, the others stay", () => {
    const story = called(write([null, "A", 1, [], todo("B", "completed")]));
    expect(listOf(story)).toEqual(["B: completed"]);
    story.lines(native.result()).expectLawful();
  });
});

describe("in a subagent", () => {
  const task = (calls: Call[]) => linesOf(calls, "c").map((line) => subagent.line(line, "t9", "a1"));

  test("entries join the main session's list, and the main one changes them", () => {
    const story = called(create("1", "A")).lines(
      native.whole("m_agent", native.call("t9", "Agent", {})),
      subagent.started("a1", "t9"),
      ...task([{ ...create("2", "B"), structured: undefined }]),
      subagent.ended("a1"),
      native.toolResult("t9", "done"),
      ...linesOf([update("2", { status: "completed" })], "u"),
    );
    expect(listOf(story)).toEqual(["A: pending", "B: completed"]);
    expect(new Set(lists(story).map(({ sessionID }) => sessionID))).toEqual(new Set([story.session.id]));
    expect(childOf(story).tools).toMatchObject([{ callID: "c0", tool: "todowrite" }]);
    story.lines(native.result()).expectLawful();
  });

  test("a result that comes after its end changes nothing", () => {
    const [call = {}, result = {}] = task([write([todo("late")])]);
    const story = called(write([todo("A")])).lines(
      native.whole("m_agent", native.call("t9", "Agent", {})),
      subagent.started("a1", "t9"),
      call,
      subagent.ended("a1", "stopped"),
      result,
    );
    expect(listOf(story)).toEqual(["A: pending"]);
    story.lines(native.result()).expectLawful();
  });
});

test("an update that was refused without being an error changes nothing", () => {
  const refused = { output: "Task not found", structured: { success: false } };
  const story = called(
    { name: "TaskCreate", input: { subject: "Build" }, output: "", structured: { task: { id: "1" } } },
    { name: "TaskUpdate", input: { taskId: "1", status: "deleted" }, ...refused },
    { name: "TaskUpdate", input: { taskId: "1", status: "completed" }, ...refused },
  );
  expect(listOf(story)).toEqual(["Build: pending"]);
  expect(lists(story)).toHaveLength(1);
});

describe("what is no text", () => {
  const UNREADABLE = [null, "", " ", 7, true, {}, { text: "A" }, ["A"]];

  test.each(UNREADABLE)("%j is no entry of a list, and the others keep their places", (content) => {
    expect(listOf(called(write([todo("A"), todo(content), todo("C")])))).toEqual(["A: pending", "C: pending"]);
    const listed = called(
      read([
        { id: "1", subject: "A" },
        { id: "2", subject: content },
      ]),
    );
    expect(listOf(listed)).toEqual(["A: pending"]);
    const story = called(write([todo(content), todo("B")]), update("2", { status: "completed" }));
    expect(listOf(story)).toEqual(["B: completed"]);
    story.lines(native.result()).expectLawful();
  });

  test.each(UNREADABLE)("%j makes no entry, and says nothing", (subject) => {
    const call = { ...create("1", "A"), input: { subject }, structured: { task: { id: "1", subject } } };
    expect(lists(called(call))).toEqual([]);
  });

  test("is taken from the result where only that can be read", () => {
    expect(listOf(called({ ...create("1", "A"), input: { subject: {} } }))).toEqual(["A: pending"]);
  });

  test.each(UNREADABLE)("%j renames nothing", (subject) => {
    expect(listOf(called(create("1", "A"), update("1", { subject, status: "completed" })))).toEqual(["A: completed"]);
  });

  test.each([{}, ["1"], null, true])("%j names no entry", (taskId) => {
    const story = called(create("1", "A"), update(taskId, { status: "deleted" }), update(taskId, { subject: "B" }));
    expect(listOf(story)).toEqual(["A: pending"]);
    expect(lists(story)).toHaveLength(1);
  });

  test("is no id either: the place counts", () => {
    const story = called(read([{ id: {}, subject: "A" }]), update("1", { status: "completed" }));
    expect(listOf(story)).toEqual(["A: completed"]);
  });
});
