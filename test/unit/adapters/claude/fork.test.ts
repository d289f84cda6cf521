import { describe, expect, test } from "vitest";
import { claude } from "../../../../adapters/claude/index.js";
import type { ClaudeState } from "../../../../adapters/claude/state.js";
import { type Command, type Input, LaunchRefused, type Output, type Step } from "../../../../adapters/contract.js";
import type { MessageWithParts, Session } from "../../../../schemas/index.js";
import { checkLaws } from "../../../../src/conformance/laws/index.js";
import { executeRun, wireOf } from "../../../../src/conformance/run.js";
import { EMPTY_STATE, reduce } from "../../../../src/store/reduce.js";
import { AT, createSeed } from "../shared/draft.js";
import { type Json, native } from "./native.js";
import { Story } from "./story.js";

const PARENT_ID = String(native.init().session_id);
const OWN_ID = "00000000-0000-4000-8000-00000000000f";
const SEED = createSeed({ agent: "claude", at: AT + 1000, sessionID: "ses_fork", idSeed: "0fork" });
const PROMPT: Command = { type: "prompt", parts: [{ type: "text", text: "go on" }] };

const said = (text: string, uuid: string): Json => ({ ...native.whole(`api_${text}`, { type: "text", text }), uuid });

/** One turn, whose answer's lines the CLI knows by these ids. */
function turn(story: Story, text: string, ...uuids: string[]): Story {
  const lines = uuids.map((uuid) => said(text, uuid));
  return story.prompt(text).lines(native.init(), ...lines, native.result({ user_message_uuid: story.uuid }));
}

const parentOf = (...texts: string[]) => texts.reduce((story, text) => turn(story, text, `line_${text}`), new Story());

function historyOf(story: Story): MessageWithParts[] {
  return story.messages.map((info) => ({ info, parts: story.parts.filter(({ messageID }) => messageID === info.id) }));
}

/** A fork and what happened to it since. */
class Fork {
  readonly inputs: Input<unknown>[] = [];
  #step: Step<ClaudeState>;
  readonly #outputs: Output[];
  #last: readonly Output[];

  constructor(
    readonly parent: Story,
    readonly history = historyOf(parent),
  ) {
    const step = claude.fork?.(parent.state, SEED, history);
    if (!step) throw new Error("the adapter cannot fork");
    this.#step = step;
    this.#last = step.outputs;
    this.#outputs = [...step.outputs];
  }

  command(command: Command): this {
    return this.#take({ at: SEED.at + this.inputs.length, kind: "command", command });
  }

  lines(...lines: readonly Json[]): this {
    for (const line of lines) {
      this.#take({ at: SEED.at + this.inputs.length, kind: "frame", frame: claude.parse(line) });
    }
    return this;
  }

  exit(): this {
    return this.#take({ at: SEED.at + this.inputs.length, kind: "exit", code: 0, signal: null, stderr: "" });
  }

  #take(input: Input<unknown>): this {
    this.inputs.push(input);
    this.#step = claude.step(this.#step.state, input as never);
    this.#last = this.#step.outputs;
    this.#outputs.push(...this.#last);
    return this;
  }

  get state(): ClaudeState {
    return this.#step.state;
  }

  /** What the last input started. */
  get spawned(): Output[] {
    return this.#last.filter(({ kind }) => kind === "spawn");
  }

  get session(): Session {
    return this.#stored.info;
  }

  get messages(): MessageWithParts[] {
    return Object.values(this.#stored.messages).map(({ info, parts }) => ({ info, parts: Object.values(parts) }));
  }

  get todos(): unknown {
    return wireOf(this.#outputs).findLast(({ type }) => type === "todo.updated")?.properties;
  }

  expectLawful(): void {
    const origin = { state: this.parent.state, history: this.history };
    expect(checkLaws(executeRun(claude, SEED, this.inputs, origin))).toEqual([]);
  }

  get #stored() {
    const session = wireOf(this.#outputs).reduce(reduce, EMPTY_STATE).sessions[SEED.sessionID];
    if (!session) throw new Error("the fork is gone");
    return session;
  }
}

const resumed = (at: string) => [{ kind: "spawn", resume: PARENT_ID, fork: { at } }];

describe("a fork of a whole session", () => {
  test("has its messages, in their order, under ids and a session of its own", () => {
    const parent = parentOf("one", "two");
    const { messages } = new Fork(parent);
    const texts = (all: readonly MessageWithParts[]) =>
      all.map(({ info, parts }) => [info.role, info.time, parts.map((part) => "text" in part && part.text)]);
    expect(texts(messages)).toEqual(texts(historyOf(parent)));
    const old = new Set([...parent.messages, ...parent.parts].map(({ id }) => id));
    for (const { info, parts } of messages) {
      expect(info.sessionID).toBe("ses_fork");
      expect(old.has(info.id)).toBe(false);
      for (const part of parts) {
        expect(part).toMatchObject({ sessionID: "ses_fork", messageID: info.id });
        expect(old.has(part.id)).toBe(false);
      }
    }
  });

  test("has answers that hang on its own prompts", () => {
    const { messages } = new Fork(parentOf("one", "two"));
    const ids = messages.map(({ info }) => info.id);
    const parents = messages.map(({ info }) => (info.role === "assistant" ? info.parentID : null));
    expect(parents).toEqual([null, ids[0], null, ids[2]]);
  });

  test("goes on from a copy of the CLI's conversation, up to its last line", () => {
    const parent = turn(parentOf("one"), "two", "first", "second");
    expect(new Fork(parent).command(PROMPT).spawned).toEqual(resumed("second"));
  });

  test("goes on from the last line also where it had started before without a prompt", () => {
    const fork = new Fork(parentOf("one")).command({ type: "start" });
    expect(fork.spawned).toEqual(resumed("line_one"));
    expect(fork.command(PROMPT).spawned).toEqual([]);
  });

  test("begins idle, with what its seed says and nothing of what its parent waits for", () => {
    const parent = parentOf("one").command({ type: "setMode", mode: "acceptEdits" }).prompt("two").prompt("three");
    expect(parent.session).toMatchObject({ pending: { mode: "acceptEdits" }, queue: [expect.any(String)] });
    const { session } = new Fork(parent, historyOf(parent).slice(0, 2));
    expect(session).toMatchObject({ id: "ses_fork", mode: "default", status: { type: "idle" }, queue: [] });
    expect(session).not.toHaveProperty("pending");
  });

  test("leaves its parent as it was", () => {
    const parent = parentOf("one");
    const before = JSON.stringify(parent.state);
    new Fork(parent).command(PROMPT).lines(native.init({ session_id: OWN_ID }), said("two", "x"), native.result());
    expect(JSON.stringify(parent.state)).toBe(before);
    expect(parent.exit().prompt().effects[0]).toEqual({ kind: "spawn", resume: PARENT_ID });
  });

  test("keeps the laws", () => {
    new Fork(parentOf("one", "two"))
      .command(PROMPT)
      .lines(native.init({ session_id: OWN_ID }), said("three", "x"), native.result())
      .exit()
      .expectLawful();
  });
});

describe("a fork of a part", () => {
  test.each([
    ["before the last prompt", 4, "line_two"],
    ["before the second prompt", 2, "line_one"],
    ["behind a prompt, whose answer is left out", 3, "line_one"],
  ])("%s goes on from the last answer it has", (_, count, at) => {
    const parent = parentOf("one", "two", "three");
    const fork = new Fork(parent, historyOf(parent).slice(0, count));
    expect(fork.messages).toHaveLength(count);
    expect(fork.command(PROMPT).spawned).toEqual(resumed(at));
    fork.expectLawful();
  });
});

describe("a session without a conversation cannot be forked", () => {
  test.each([
    ["was never prompted", new Story()],
    ["has started and heard nothing", new Story().command({ type: "start" })],
    ["was prompted and heard nothing", new Story().prompt()],
    ["had a process that died before it told its id", new Story().prompt().exit({ code: 1 })],
  ])("that %s", (_, parent) => {
    const fork = () => new Fork(parent);
    expect(fork).toThrow(LaunchRefused);
    expect(fork).toThrow(expect.objectContaining({ field: "sessionID" }));
  });
});

describe("the CLI's copy", () => {
  test("is what the fork resumes once its id is known", () => {
    const fork = new Fork(parentOf("one")).command(PROMPT).lines(native.init({ session_id: OWN_ID }), native.result());
    expect(fork.session.metadata).toMatchObject({ native: { sessionID: OWN_ID } });
    expect(fork.exit().command(PROMPT).spawned).toEqual([{ kind: "spawn", resume: OWN_ID }]);
    fork.expectLawful();
  });

  test("is made again when the process ended before it told the id", () => {
    const fork = new Fork(parentOf("one")).command(PROMPT).exit().command(PROMPT);
    expect(fork.spawned).toEqual(resumed("line_one"));
  });

  test("is made of the first conversation when a fork is forked that has not run", () => {
    const first = new Fork(parentOf("one", "two"));
    const second = claude.fork?.(first.state, createSeed({ agent: "claude", sessionID: "ses_second" }), first.messages);
    const step = claude.step(second?.state as ClaudeState, { at: SEED.at, kind: "command", command: PROMPT });
    expect(step.outputs.filter(({ kind }) => kind === "spawn")).toEqual(resumed("line_two"));
  });

  test("of a conversation that is gone is an error, and no silent new start", () => {
    const gone = native.result({
      subtype: "error_during_execution",
      is_error: true,
      errors: [`No conversation found with session ID: ${PARENT_ID}`],
    });
    const fork = new Fork(parentOf("one")).command(PROMPT).lines(gone);
    expect(fork.spawned).toEqual([]);
    expect(fork.session).toMatchObject({
      status: { type: "idle" },
      error: { message: expect.stringContaining("No conversation found") },
    });
  });
});

test("the todo list goes along: the fork changes its own and leaves the parent's", () => {
  const todo = (callID: string, name: string, input: Json, result: Json): Json[] => [
    native.whole(`api_${callID}`, native.call(callID, name, input)),
    native.toolResult(callID, "ok", {}, { tool_use_result: result }),
  ];
  const create = (id: string) => todo(`t${id}`, "TaskCreate", { subject: `task ${id}` }, { task: { id } });
  const parent = new Story().prompt().lines(native.init(), ...create("1"), ...create("2"), native.result());
  const before = parent.events.length;
  const update = todo("t3", "TaskUpdate", { taskId: "2", status: "completed" }, {});
  const fork = new Fork(parent).command(PROMPT).lines(native.init({ session_id: OWN_ID }), ...update, native.result());
  expect(fork.todos).toMatchObject({
    sessionID: "ses_fork",
    todos: [
      { content: "task 1", status: "pending" },
      { content: "task 2", status: "completed" },
    ],
  });
  parent.prompt().lines(...todo("t4", "TaskUpdate", { taskId: "1", status: "in_progress" }, {}));
  expect(parent.events.slice(before).findLast(({ type }) => type === "todo.updated")?.properties).toMatchObject({
    todos: [{ status: "in_progress" }, { status: "pending" }],
  });
  fork.expectLawful();
});

test.each([
  ["a resumed conversation", { resume: "id" }, ["--resume", "id"]],
  ["a copy of one", { resume: "id", fork: {} }, ["--resume", "id", "--fork-session"]],
  [
    "a copy up to a line",
    { resume: "id", fork: { at: "line" } },
    ["--resume", "id", "--fork-session", "--resume-session-at", "line"],
  ],
])("%s is named to the CLI", (_, spawn, expected) => {
  const { args } = claude.launch({ directory: "/work", mode: "default", env: {}, spawn });
  expect(args.slice(args.indexOf("--resume"))).toEqual(expected);
});

describe("a fork that takes nothing along which the CLI has", () => {
  const aborted = (story: Story) =>
    story
      .prompt("two")
      .abort()
      .lines(native.result({ terminal_reason: "aborted_streaming" }));

  test("begins a new conversation: the old one knows more than its messages", () => {
    const fork = new Fork(parentOf("one"), []).command(PROMPT);
    expect(fork.spawned).toEqual([{ kind: "spawn" }]);
    fork.expectLawful();
  });

  test("is cut behind the last answer the CLI has: one that was aborted before its first line is none", () => {
    const fork = new Fork(aborted(parentOf("one"))).command(PROMPT);
    expect(fork.spawned).toEqual(resumed("line_one"));
  });
});

test("a fork has the settings of its parent: tool servers, options and todos", () => {
  const mcpServers = { demo: { type: "stdio" as const, command: "demo", args: [] } };
  const parent = turn(new Story({ mcpServers }), "one", "line_one");
  parent.exit().command({ type: "setOption", option: "maxThinkingTokens", value: 5 });
  const fork = new Fork(parent).command(PROMPT);
  expect(fork.spawned).toEqual([{ kind: "spawn", resume: PARENT_ID, fork: { at: "line_one" }, mcpServers }]);
  expect(fork.session.metadata?.native).toMatchObject({ maxThinkingTokens: 5 });
  fork.expectLawful();
});

test("a fork does not take up a call that a hook deferred in the session it is of, and that nobody waits for", () => {
  const parent = parentOf("one").prompt("two");
  const call = native.call("t1", "Bash", { command: "ls" });
  parent.lines({ ...native.whole("m2", call), uuid: "line_two" }, native.result({ deferred_tool_use: { id: "t1" } }));
  const fork = new Fork(parent.exit({ lost: true })).command(PROMPT);
  expect(fork.spawned).toEqual(resumed("line_two"));
  expect(fork.state.side.leftDeferred).toEqual({ callID: "t1", stopped: true });
  fork.lines(native.aborted("streaming"), native.result({ user_message_uuid: fork.state.side.sent[0]?.uuid }));
  expect(fork.session.status).toEqual({ type: "idle" });
  fork.expectLawful();
});
