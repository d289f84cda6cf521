import { expect, test, vi } from "vitest";
import type {
  Block,
  Decision,
  PermissionBlock,
  ResolvedBlock,
  ToolPart,
  WireEvent,
} from "../../../../schemas/index.js";
import { BlockAnswerer, type BlockAnswererOptions } from "../../../../src/cli/terminal/block-answerer.js";
import { AgentwireError } from "../../../../src/client/index.js";
import { permission, question } from "../../adapters/shared/draft.js";
import { partUpdated, tool } from "../../server/events.js";

const CALL: Block = { type: "call", id: "cal_a", name: "weather", input: {} };
/** An agent with several options that mean the same. */
const SEVERAL: PermissionBlock = { ...permission("a"), decisions: ["reject"] };
const MUST_CHOOSE = { decision: "reject", message: expect.stringContaining("several ways") };

const time = { start: 1 };

function blocked(block: Block, id = "prt_1"): WireEvent {
  const part: ToolPart = { ...tool({ id }, ""), state: { status: "blocked", input: {}, time, block } };
  return partUpdated(part);
}

function decided(block: Block, decision: Decision, decidedBy: ResolvedBlock["decidedBy"] = "user"): WireEvent {
  const resolved = { ...block, decision, decidedAt: 2, decidedBy } as ResolvedBlock;
  return partUpdated({ ...tool({ id: "prt_1" }, ""), state: { status: "running", input: {}, time, block: resolved } });
}

function answerer(options: Partial<BlockAnswererOptions>) {
  const reply = vi.fn(async () => {});
  const note = vi.fn();
  const answers = new BlockAnswerer({ reply, note, otherwise: "leave", isAlone: true, ...options });
  return { answers, reply, note };
}

/** A person who answers when the test says so. */
function person() {
  const asked = vi.fn();
  let answer: (text: string | undefined) => void = () => {};
  const ask = (query: string, signal: AbortSignal) => {
    asked(query);
    return new Promise<string | undefined>((resolve) => {
      answer = resolve;
      signal.addEventListener("abort", () => resolve(undefined));
    });
  };
  return { ask, asked, answer: (text: string | undefined) => answer(text) };
}

test.each([
  ["a permission by what was chosen", permission("a"), "once", { decision: "once" }],
  ["always where it is offered", permission("a", ["ls *"]), "always", { decision: "always" }],
  ["always where it is not offered as once", permission("a"), "always", { decision: "once" }],
  ["a rejection where there are several options", SEVERAL, "reject", { decision: "reject" }],
  ["once where there are several ways to do it", SEVERAL, "once", MUST_CHOOSE],
  ["always where there are several ways to do it", SEVERAL, "always", MUST_CHOOSE],
  ["a question by leaving it", question("q", "Which?"), "once", { decision: "reject" }],
  ["a call of a client that is not here", CALL, "once", { error: expect.stringContaining("not here") }],
] as const)("answers %s", async (_, block, otherwise, wanted) => {
  const { answers, reply } = answerer({ otherwise });
  answers.hear(blocked(block as Block));
  await vi.waitFor(() => expect(reply).toHaveBeenCalledWith(block.id, wanted));
});

test("a call that cannot be carried out here is refused without asking a person", async () => {
  const { ask, asked } = person();
  const { answers, reply } = answerer({ ask });
  answers.hear(blocked(CALL));
  await vi.waitFor(() => expect(reply).toHaveBeenCalledWith(CALL.id, { error: expect.stringContaining("not here") }));
  expect(asked).not.toHaveBeenCalled();
});

test("a call is left to its client where there may be one, and so is all that nobody is to decide", async () => {
  const { answers, reply } = answerer({ isAlone: false });
  answers.hear(blocked(CALL));
  answers.hear(blocked(permission("a"), "prt_2"));
  await new Promise(setImmediate);
  expect(reply).not.toHaveBeenCalled();
});

test("a person is asked one thing at a time, and each only once", async () => {
  const { ask, asked, answer } = person();
  const { answers, reply } = answerer({ ask });
  const [first, second] = [permission("a"), permission("b")];
  for (const event of [blocked(first), blocked(first), blocked(second, "prt_2")]) answers.hear(event);
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(1));
  answer("because");
  await vi.waitFor(() => expect(reply).toHaveBeenCalledWith(first.id, { decision: "reject", message: "because" }));
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
  answer("y");
  await vi.waitFor(() => expect(reply).toHaveBeenCalledWith(second.id, { decision: "once" }));
});

test("what somebody else decides is asked no more, and it is told who decided", async () => {
  const { ask, asked } = person();
  const { answers, reply, note } = answerer({ ask });
  const [first, second] = [permission("a"), permission("b")];
  answers.hear(blocked(first));
  answers.hear(blocked(second, "prt_2"));
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(1));
  answers.hear(decided(second, "reject", "rule"));
  answers.hear(decided(first, "always"));
  expect(note.mock.calls).toEqual([
    [expect.stringMatching(/rejected by a rule$/)],
    [expect.stringMatching(/allowed always by a client$/)],
  ]);
  await new Promise(setImmediate);
  expect(asked).toHaveBeenCalledTimes(1);
  expect(reply).not.toHaveBeenCalled();
});

test("one's own decision is not told, and what is heard late of it asks nothing", async () => {
  const { answers, reply, note } = answerer({ otherwise: "once" });
  const block = permission("a");
  answers.hear(blocked(block));
  await vi.waitFor(() => expect(reply).toHaveBeenCalledTimes(1));
  answers.hear(decided(block, "once"));
  answers.hear(blocked(block));
  await new Promise(setImmediate);
  expect(reply).toHaveBeenCalledTimes(1);
  expect(note).not.toHaveBeenCalled();
});

test("whoever was first is told to whoever was second", async () => {
  const reply = vi.fn(() => Promise.reject(new AgentwireError("conflict", "decided already")));
  const { answers, note } = answerer({ reply, otherwise: "once" });
  const block = permission("a");
  answers.hear(blocked(block));
  await vi.waitFor(() => expect(reply).toHaveBeenCalledTimes(1));
  await new Promise(setImmediate);
  answers.hear(decided(block, "reject"));
  expect(note).toHaveBeenCalledWith(expect.stringMatching(/rejected by a client$/));
});

test("a decision is sent again while the gateway is away; any other failure is told", async () => {
  const failures = [new AgentwireError("connection", "gone"), new AgentwireError("internal", "broken")];
  const reply = vi.fn(async () => {
    const failure = failures.shift();
    if (failure) throw failure;
  });
  const { answers, note } = answerer({ reply, otherwise: "once" });
  answers.hear(blocked(permission("a")));
  await vi.waitFor(() => expect(note).toHaveBeenCalledWith("agentwire: broken"), { timeout: 5000 });
  expect(reply).toHaveBeenCalledTimes(2);
});

test("where the input has ended, nobody has decided", async () => {
  const { ask, asked, answer } = person();
  const left = answerer({ ask });
  left.answers.hear(blocked(permission("a")));
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(1));
  answer(undefined);
  await new Promise(setImmediate);
  expect(left.reply).not.toHaveBeenCalled();

  const rejecting = answerer({ ask: async () => undefined, otherwise: "reject" });
  rejecting.answers.hear(blocked(permission("b")));
  await vi.waitFor(() => expect(rejecting.reply).toHaveBeenCalledWith("per_b", { decision: "reject" }));
});
