import { describe, expect, test } from "vitest";
import { type Json, native } from "./native.js";
import { Story, withCall } from "./story.js";

const NAME = { name: { type: "string", title: "Name" } };

function form(properties: Json, change: Json = {}, requestID = "e1"): Json {
  return {
    type: "control_request",
    request_id: requestID,
    request: {
      subtype: "elicitation",
      mcp_server_name: "demo",
      message: "Who orders?",
      requested_schema: { type: "object", properties },
      ...change,
    },
  };
}

const order = () => withCall("t1", "mcp__demo__order", {});
const asked = (properties: Json = NAME, change: Json = {}) => order().lines(form(properties, change));
const told = (story: Story, requestID = "e1") => story.answers(requestID).map(({ response }) => response);

function questions(story: Story) {
  const block = story.blockOf();
  if (block.type !== "question") throw new Error("no question waits");
  return block.questions;
}

describe("a field", () => {
  const chosen = (...labels: string[]) => ({
    options: labels.map((label) => ({ label, description: "" })),
    custom: false,
  });
  const free = { options: [], custom: true };

  test.each([
    ["a text", { type: "string" }, free, "Ada", "Ada"],
    ["a text that looks like a number", { type: "string" }, free, "007", "007"],
    ["one of several", { type: "string", enum: ["small", "large"] }, chosen("small", "large"), "large", "large"],
    ["one of several numbers", { type: "integer", enum: [1, 2] }, chosen("1", "2"), "2", 2],
    ["a yes", { type: "boolean" }, chosen("true", "false"), "true", true],
    ["a no", { type: "boolean" }, chosen("true", "false"), "false", false],
    ["a number", { type: "number" }, free, "1.5", 1.5],
    ["a negative number with an exponent", { type: "number" }, free, "-2e3", -2000],
    ["zero", { type: "number" }, free, "0", 0],
    ["an integer", { type: "integer" }, free, "3", 3],
    ["a number that is none", { type: "number" }, free, "many", "many"],
    ["an integer that is none", { type: "integer" }, free, "3 or 4", "3 or 4"],
    ["a number without end", { type: "number" }, free, "Infinity", "Infinity"],
    ["of no type", {}, free, "5", "5"],
    ["that is no schema", true, free, "5", "5"],
  ])("%s: it is asked for as it can be answered, and sent as its type", (_, property, shape, answer, value) => {
    const story = asked({ field: property });
    expect(questions(story)).toEqual([{ question: "Who orders?\nfield", header: "field", ...shape }]);
    story.reply({ answers: [[answer]] });
    expect(told(story)).toEqual([{ action: "accept", content: { field: value } }]);
  });

  test.each([
    ["its description", { title: "Title", description: "Words" }, "Words"],
    ["else its title", { title: "Title" }, "Title"],
    ["else its name", {}, "field"],
  ])("is called by %s", (_, property, label) => {
    expect(questions(asked({ field: property }))).toMatchObject([
      { question: `Who orders?\n${label}`, header: "field" },
    ]);
  });

  test.each([
    ["no list at all", []],
    ["an empty list", [[], ["large"]]],
    ["an empty text", [[""], ["large"]]],
  ])("that got %s is left out, also where it is required", (_, answers) => {
    const properties = { ...NAME, size: { type: "string", enum: ["small", "large"] } };
    const story = asked(properties, { requested_schema: { type: "object", properties, required: ["name"] } });
    story.reply({ answers });
    expect(told(story)).toEqual([{ action: "accept", content: answers.length > 0 ? { size: "large" } : {} }]);
    expect(story.tool("t1")).toMatchObject({ status: "running", block: { answers } });
  });
});

test.each([
  ["as the server orders them", ["b", "a", "c"], ["b", "a", "c"]],
  ["those it leaves out last", ["c"], ["c", "a", "b"]],
  ["none that is not there", ["missing", "b"], ["b", "a", "c"]],
  ["none twice", ["a", "a"], ["a", "b", "c"]],
  ["as they come where it orders nothing", null, ["a", "b", "c"]],
])("fields are asked for %s, and answers go by that order", (_, property_order, names) => {
  const story = asked({ a: {}, b: {}, c: {} }, { property_order });
  expect(questions(story).map(({ header }) => header)).toEqual(names);
  story.reply({ answers: names.map((name) => [`${name}!`]) });
  expect(told(story)).toEqual([{ action: "accept", content: { a: "a!", b: "b!", c: "c!" } }]);
});

describe("what has no fields is only to be confirmed", () => {
  const CONFIRM = {
    question: "Who orders?",
    header: "confirm",
    options: [{ label: "done", description: "" }],
    custom: false,
  };

  test.each([
    ["a form without a schema", undefined],
    ["a form with an empty schema", null],
    ["a form with a schema without properties", {}],
    ["a form with properties that are none", { properties: ["name"] }],
  ])("%s", (_, requested_schema) => {
    const story = asked({}, { requested_schema });
    expect(questions(story)).toEqual([CONFIRM]);
    story.reply({ answers: [["done"]] });
    expect(told(story)).toEqual([{ action: "accept", content: {} }]);
  });

  test("an address that is to be opened, which the block names", () => {
    const request = { mode: "url", url: "https://example.com/login", requested_schema: undefined };
    const story = asked({}, request);
    expect(story.blockOf()).toMatchObject({
      type: "question",
      questions: [CONFIRM],
      metadata: { server: "demo", message: "Who orders?", url: "https://example.com/login" },
    });
    story.reply({ answers: [["done"]] });
    expect(told(story)).toEqual([{ action: "accept", content: {} }]);
    expect(told(asked({}, request).reply({ decision: "reject" }))).toEqual([{ action: "decline" }]);
  });

  test("only an address that is there is named", () => {
    const block = asked(NAME, { url: null }).blockOf();
    expect("metadata" in block && block.metadata).toEqual({ server: "demo", message: "Who orders?" });
  });
});

describe("an answer", () => {
  test("lets the tool go on, which ends as it likes", () => {
    const story = asked().reply({ answers: [["Ada"]] });
    expect(story.tool("t1")).toMatchObject({ status: "running", block: { answers: [["Ada"]], decidedBy: "user" } });
    story.lines(native.toolResult("t1", "a pizza for Ada"), native.result());
    expect(story.tool("t1")).toMatchObject({
      status: "completed",
      output: "a pizza for Ada",
      block: { answers: [["Ada"]] },
    });
    story.expectLawful();
  });

  test.each([
    ["a rejection", { decision: "reject" }],
    ["a rejection in words", { decision: "reject", message: "not now" }],
    ["an approval that answers nothing", { decision: "once" }],
    ["nothing", {}],
  ] as const)("that is %s declines, and the tool goes on too", (_, reply) => {
    const story = asked().reply(reply);
    expect(told(story)).toEqual([{ action: "decline" }]);
    expect(story.tool("t1")).toMatchObject({ status: "running", block: { rejected: true, answers: [] } });
    story.lines(native.toolResult("t1", "nothing was ordered"), native.result());
    expect(story.tool("t1")).toMatchObject({ status: "completed", block: { rejected: true } });
    story.expectLawful();
  });

  test("that comes second is not heard", () => {
    const story = asked();
    const { id } = story.blockOf();
    story.reply({ answers: [["Ada"]] }, id).reply({ decision: "reject" }, id);
    expect(told(story)).toHaveLength(1);
    expect(story.effects).toEqual([]);
  });
});

describe("a form that nobody answers", () => {
  test("is rejected by the agent when the CLI takes it back; the tool goes on and no answer is heard", () => {
    const story = asked();
    const { id } = story.blockOf();
    story.lines(native.withdraw("e1"));
    expect(story.tool("t1")).toMatchObject({
      status: "running",
      block: { rejected: true, answers: [], decidedBy: "agent" },
    });
    story.reply({ answers: [["Ada"]] }, id);
    expect(story.effects).toEqual([]);
    story.lines(native.toolResult("t1", "it took too long"), native.result());
    expect(story.tool("t1")).toMatchObject({ status: "completed", block: { rejected: true, decidedBy: "agent" } });
    expect(told(story)).toEqual([]);
    story.expectLawful();
  });

  test("still waits when the CLI takes back another one", () => {
    expect(asked().lines(native.withdraw("e2")).tool("t1")).toMatchObject({ status: "blocked" });
  });

  test.each([
    [
      "its tool has a result",
      (story: Story) => story.lines(native.toolResult("t1", "late", { is_error: true })),
      "agent",
    ],
    ["the turn ends", (story: Story) => story.lines(native.result()), "agent"],
    ["the user aborts", (story: Story) => story.abort(), "user"],
    ["the process dies", (story: Story) => story.exit({ code: 1 }), "agent"],
    ["the gateway ends", (story: Story) => story.exit({ code: null, lost: true }), "shutdown"],
  ])("is rejected when %s, and an answer after that is not heard", (_, happens, decidedBy) => {
    const story = asked();
    const { id } = story.blockOf();
    happens(story);
    expect(story.tool("t1")).toMatchObject({ status: "error", block: { rejected: true, answers: [], decidedBy } });
    story.reply({ answers: [["Ada"]] }, id);
    expect(story.effects).toEqual([]);
    expect(told(story)).toEqual([]);
  });
});

describe("a form stands", () => {
  const blocked = (story: Story) =>
    story.tools.filter(({ state }) => state.status === "blocked").map(({ callID }) => callID);

  test("on the newest of its server's tools that run", () => {
    const story = order().lines(
      native.whole("msg_t1", native.call("t2", "mcp__demo__order", {})),
      native.whole("msg_t1", native.call("t3", "mcp__other__order", {})),
      native.whole("msg_t1", native.call("t4", "Bash", { command: "ls" })),
      form(NAME),
    );
    expect(blocked(story)).toEqual(["t2"]);
    expect(story.tool("t2")).toMatchObject({ title: "demo: order" });
  });

  test("not on a tool that has ended", () => {
    const story = order().lines(
      native.whole("msg_t1", native.call("t2", "mcp__demo__order", {})),
      native.toolResult("t2", "done"),
      form(NAME),
    );
    expect(blocked(story)).toEqual(["t1"]);
  });

  test("on the same tool as the one before it, whose answer stays readable", () => {
    const story = asked()
      .reply({ answers: [["Ada"]] })
      .lines(form({ size: { type: "string" } }, {}, "e2"))
      .reply({ answers: [["large"]] })
      .lines(native.toolResult("t1", "done"), native.result());
    expect(told(story, "e2")).toEqual([{ action: "accept", content: { size: "large" } }]);
    expect(story.tool("t1")).toMatchObject({
      status: "completed",
      block: { answers: [["large"]] },
      priorBlocks: [{ answers: [["Ada"]] }],
    });
    story.expectLawful();
  });

  test("beside one that still waits: each answer goes to its own request", () => {
    const story = asked().lines(form({ size: { type: "string" } }, {}, "e2"));
    expect(blocked(story)).toEqual(["t1", "e2"]);
    const [first, second] = [story.blockOf("t1").id, story.blockOf("e2").id];
    story.reply({ answers: [["large"]] }, second).reply({ answers: [["Ada"]] }, first);
    expect(told(story, "e1")).toEqual([{ action: "accept", content: { name: "Ada" } }]);
    expect(told(story, "e2")).toEqual([{ action: "accept", content: { size: "large" } }]);
  });

  test.each([
    ["no tool is open", (story: Story) => story.prompt().lines(native.init())],
    [
      "only text was written",
      (story: Story) => story.prompt().lines(native.init(), native.whole("m", { type: "text", text: "a" })),
    ],
    ["only another server's tool runs", () => withCall("t1", "mcp__other__order", {})],
    ["no turn runs", (story: Story) => story.command({ type: "start" })],
  ])("on a part of its own where %s", (_, begin) => {
    const story = begin(new Story()).lines(form(NAME));
    expect(blocked(story)).toEqual(["e1"]);
    expect(story.session.status).toEqual({ type: "busy" });
    expect(story.tools.find(({ callID }) => callID === "e1")).toMatchObject({
      tool: "question",
      messageID: story.answersOfModel.at(-1)?.id,
      metadata: { native: { tool: "elicitation" } },
      state: { title: "question", block: { type: "question", metadata: { server: "demo" } } },
    });
    story.reply({ answers: [["Ada"]] });
    expect(told(story)).toEqual([{ action: "accept", content: { name: "Ada" } }]);
    story.expectLawful();
  });
});

describe("a field of several shapes", () => {
  const choices = [
    { const: "s", title: "Small" },
    { const: "l", title: "Large" },
  ];
  test.each([
    ["several of a list", { type: "array", items: { type: "string", enum: ["a", "b", "c"] } }, ["a", "c"], ["a", "c"]],
    ["several with titles", { type: "array", items: { anyOf: choices } }, ["Large"], ["l"]],
    ["one with a title", { type: "string", oneOf: choices }, ["Small"], "s"],
    ["one whose names are apart", { type: "string", enum: ["s"], enumNames: ["Small"] }, ["Small"], "s"],
    ["numbers without a type", { enum: [1, 2] }, ["2"], 2],
    ["a number or none", { type: ["number", "null"] }, ["2"], 2],
    ["an integer with a fraction", { type: "integer" }, ["1.5"], "1.5"],
  ])("%s is sent as the server wants it", (_, property, answers, value) => {
    const story = asked({ field: property }).reply({ answers: [answers] });
    expect(told(story)).toEqual([{ action: "accept", content: { field: value } }]);
  });

  test.each(["number", "integer", "string"])("a blank answer to a %s is none", (type) => {
    expect(told(asked({ field: { type } }).reply({ answers: [[" "]] }))).toEqual([{ action: "accept", content: {} }]);
  });
});

describe("a form where no tool is open", () => {
  const alone = () => new Story().prompt().lines(native.init(), form(NAME));

  test("is a tool of its own that its answer completes", () => {
    const story = alone().reply({ answers: [["Ada"]] });
    expect(story.tool("e1")).toMatchObject({ status: "completed", output: "Ada" });
    story.lines(native.result({ user_message_uuid: story.uuid })).expectLawful();
  });

  test("is an error when it is declined", () => {
    const story = alone().reply({ decision: "reject", message: "Not now" });
    expect(story.tool("e1")).toMatchObject({ status: "error", error: "Not now" });
    expect(told(story)).toEqual([{ action: "decline" }]);
  });
});

describe("a form while no turn runs", () => {
  const alone = () => new Story().command({ type: "start" }).lines(form(NAME));
  const idle = { type: "idle" };

  test.each([
    [
      "is answered",
      (story: Story) => story.reply({ answers: [["Ada"]] }),
      "completed",
      [{ action: "accept", content: { name: "Ada" } }],
    ],
    ["is declined", (story: Story) => story.reply({ decision: "reject" }), "error", [{ action: "decline" }]],
    ["is taken back", (story: Story) => story.lines(native.withdraw("e1")), "error", []],
    ["is aborted", (story: Story) => story.abort(), "error", [{ action: "cancel" }]],
  ])("ends its turn when it %s", (_, happens, status, answer) => {
    const story = happens(alone());
    expect(story.tool("e1")).toMatchObject({ status });
    expect(told(story)).toEqual(answer);
    expect(story.session.status).toEqual(idle);
    expect(story.effects.filter(({ kind }) => kind === "wake")).toEqual([]);
    story.expectLawful();
  });

  test("ends its turn with the last of several", () => {
    const story = alone().lines(form(NAME, {}, "e2"));
    story.reply({ answers: [["Ada"]] }, story.blockOf("e1").id);
    expect(story.session.status).toEqual({ type: "busy" });
    story.reply({ answers: [["Bob"]] }, story.blockOf("e2").id);
    expect(story.session.status).toEqual(idle);
    story.expectLawful();
  });

  test.each([true, false])("lets a prompt wait, and then it is its turn (steer: %s)", (steer) => {
    const story = alone().command({ type: "prompt", parts: [{ type: "text", text: "next" }], steer });
    expect(story.session.queue).toHaveLength(1);
    story.reply({ answers: [["Ada"]] });
    expect(story.sent.at(-1)).toMatchObject({ type: "user", message: { content: "next" } });
    expect(story.session.status).toEqual({ type: "busy" });
    story.lines(native.result({ user_message_uuid: story.uuid }));
    expect(story.session.status).toEqual(idle);
    story.expectLawful();
  });

  test("leaves a turn that the agent began meanwhile to its result", () => {
    const story = alone()
      .lines(native.start("m2"))
      .reply({ answers: [["Ada"]] });
    expect(story.session.status).toEqual({ type: "busy" });
    story.lines(native.result({ origin: { kind: "task-notification" } }));
    expect(story.session.status).toEqual(idle);
    story.expectLawful();
  });

  test.each([
    ["ends without it", (story: Story) => story.lines(native.result())],
    ["is aborted", (story: Story) => story.abort().lines(native.aborted("streaming"))],
  ])("is cancelled when a turn that the agent began meanwhile %s", (_, ends) => {
    const story = ends(alone().lines(native.start("m2")));
    expect(told(story)).toEqual([{ action: "cancel" }]);
    expect(story.tool("e1")).toMatchObject({ status: "error" });
    story.expectLawful();
  });
});
