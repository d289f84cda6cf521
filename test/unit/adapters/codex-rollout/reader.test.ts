import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { TranscriptLine } from "../../../../adapters/index.js";
import type { Message, Part, ToolPart } from "../../../../schemas/index.js";
import { CWD, type Reading, reader, readLines, THREAD, threadID, Writer } from "./writer.js";

const main = ({ final }: Reading) => {
  const session = final.sessions.find(({ info }) => info.parentID === undefined);
  if (!session) throw new Error("there is no session");
  return session;
};
const messages = (reading: Reading): Message[] => main(reading).messages.map(({ info }) => info);
const parts = (reading: Reading): Part[] => main(reading).messages.flatMap((message) => message.parts);
const texts = (reading: Reading) => parts(reading).flatMap((part) => (part.type === "text" ? [part.text] : []));
const tools = (reading: Reading) => parts(reading).filter((part): part is ToolPart => part.type === "tool");

/** Reads what was written; every law must hold for it, and all at once it is the same as line by line. */
function read(write: (writer: Writer) => void): Reading {
  const writer = new Writer().begin();
  write(writer);
  const reading = readLines(writer.lines);
  expect(reading.violations()).toEqual([]);
  expect(readLines(writer.lines, 1).final).toEqual(reading.final);
  return reading;
}

/** The call and its output, in a turn of their own. */
const called = (write: (writer: Writer) => void) =>
  read((w) => {
    w.start().user("Go.");
    write(w);
    w.count().complete();
  });

describe("turns", () => {
  test("a prompt, two responses, and what each of them used", () => {
    const reading = read((w) => {
      w.start().user("Go.").call("c1", "exec_command", { cmd: "ls" });
      w.item({
        type: "CommandExecution",
        id: "c1",
        command: ["/bin/bash", "-lc", "ls"],
        cwd: `file://${CWD}`,
        status: "completed",
        aggregated_output: "a.txt\n",
        exit_code: 0,
      });
      w.output("c1", "Process exited with code 0\nOutput:\na.txt\n").count().say("One file.").count().complete();
    });
    expect(messages(reading)).toMatchObject([
      { role: "user" },
      { role: "assistant", finish: "tool-calls", tokens: { input: 10, output: 5 } },
      { role: "assistant", finish: "stop", tokens: { input: 10, output: 5 } },
    ]);
    expect(tools(reading)).toMatchObject([
      {
        tool: "bash",
        callID: "1.c1",
        state: { input: { command: "ls" }, output: "a.txt\n", metadata: { exitCode: 0 } },
      },
    ]);
    expect(main(reading).info).toMatchObject({ title: "Go.", directory: CWD, status: { type: "idle" } });
  });

  test("an abort, and an error in the CLI's words", () => {
    const reading = read((w) => {
      w.start("t1").user("One.", "t1").call("c1", "exec_command", { cmd: "sleep 9" });
      w.output("c1", "Wall time: 1 seconds\naborted by user").event("turn_aborted", { turn_id: "t1" });
      w.start("t2").user("Two.", "t2");
      const error = {
        message: "No.",
        codex_error_info: { response_too_many_failed_attempts: { http_status_code: 429 } },
      };
      w.complete("t2", { error });
    });
    expect(tools(reading)).toMatchObject([{ state: { status: "error", error: "The turn was aborted" } }]);
    expect(messages(reading)).toMatchObject([
      { role: "user" },
      { finish: "aborted" },
      { role: "user" },
      { finish: "error", error: { name: "rate_limit", retryable: true } },
    ]);
  });

  test("a turn without its end is over where the next begins, or the file ends", () => {
    const reading = read((w) => {
      w.start("t1").user("One.", "t1").say("Half", "t1").start("t2").user("Two.", "t2").say("Other half", "t2");
    });
    expect(messages(reading)).toMatchObject([{}, { finish: "aborted" }, {}, { finish: "aborted" }]);
    expect(main(reading).info.status).toEqual({ type: "idle" });
  });

  test("a prompt that was not answered stays without an answer", () => {
    const reading = read((w) => w.start().user("Hello?"));
    expect(messages(reading)).toHaveLength(1);
  });

  test("plan mode is the session's, until a turn leaves it", () => {
    const plan = { collaboration_mode_kind: "plan" };
    const planned = read((w) => w.start("t1", plan).user("Plan.", "t1").say("So.", "t1").count().complete("t1"));
    expect(main(planned).info.mode).toBe("plan");
    const left = read((w) => {
      w.start("t1", plan).complete("t1").start("t2", { collaboration_mode_kind: "default" }).complete("t2");
    });
    expect(main(left).info.mode).toBe("default");
  });

  test("model, policy and context are known of the session and its messages", () => {
    const reading = read((w) => {
      w.start().line("turn_context", { model: "gpt", approval_policy: "never", sandbox_policy: { type: "read-only" } });
      w.user("Go.").say("Yes.").count().complete();
    });
    expect(main(reading).info.metadata?.native).toMatchObject({
      sessionID: THREAD,
      model: "gpt",
      provider: "openai",
      approvalPolicy: "never",
      sandbox: "read-only",
      contextTokens: 15,
    });
    expect(messages(reading)[1]).toMatchObject({ modelID: "gpt", providerID: "openai" });
  });
});

describe("calls that no item tells of", () => {
  test("one that is not known to be a tool is shown with what it was told", () => {
    const reading = called((w) => w.call("c1", "no_such", { a: 1 }).output("c1", "unsupported call: no_such"));
    expect(tools(reading)).toMatchObject([
      { tool: "no_such", state: { status: "error", input: { a: 1 }, error: "unsupported call: no_such" } },
    ]);
  });

  test("input that is no JSON is kept as it was written", () => {
    const reading = called((w) => w.call("c1", "exec_command", "not json").output("c1", "failed to parse it"));
    expect(tools(reading)[0]?.state).toMatchObject({ status: "error", input: { input: "not json" } });
  });

  test("a command without an item ends as the model was told", () => {
    const reading = called((w) => {
      w.call("c1", "exec_command", { cmd: "true" }).output("c1", "Process exited with code 0\nOutput:\nfine\n");
      w.call("c2", "exec_command", { cmd: "false" }).output("c2", "Process exited with code 1\nOutput:\n");
      w.call("c3", "exec_command", { cmd: "rm x" }).output("c3", 'failed: Rejected("rejected by user")');
    });
    expect(tools(reading).map(({ state }) => state)).toMatchObject([
      { status: "completed", output: "fine\n" },
      { status: "error", error: "The command failed with exit code 1", metadata: { exitCode: 1 } },
      { status: "error", error: "This was not allowed" },
    ]);
  });

  test("a command that outlives its turn is left in the background", () => {
    const reading = called((w) => {
      w.call("c1", "exec_command", { cmd: "serve" });
      w.output("c1", "Process running with session ID 7\nOutput:\nready\n").say("It runs.");
    });
    expect(tools(reading)[0]?.state).toMatchObject({
      status: "completed",
      output: "ready\n",
      metadata: { background: true },
    });
  });

  test("a plan is the todo list", () => {
    const plan = [{ step: "Look", status: "in_progress" }];
    const reading = called((w) => w.call("c1", "update_plan", { plan }).output("c1", "Plan updated"));
    expect(main(reading).todos).toEqual([{ content: "Look", status: "in_progress", priority: "medium" }]);
  });

  test("answers to questions are there, secret ones are not", () => {
    const questions = [
      { id: "a", question: "Which?", options: [{ label: "This" }] },
      { id: "b", question: "Password?", isSecret: true },
    ];
    const answers = { a: { answers: ["This"] }, b: { answers: ["hunter2"] } };
    const reading = called((w) => {
      w.call("c1", "request_user_input", { questions }).output("c1", JSON.stringify({ answers }));
    });
    expect(tools(reading)[0]?.state).toMatchObject({ output: "This\n•••", block: { answers: [["This"], ["•••"]] } });
    expect(JSON.stringify(reading.final)).not.toContain("hunter2");
  });

  test("a program that called tools is told by those, one that did not by itself", () => {
    const reading = called((w) => {
      w.custom("c1", "exec", "await tools.x()");
      w.item({ type: "CommandExecution", id: "exec-1", command: ["ls"], status: "completed", exit_code: 0 });
      w.output("c1", [{ type: "input_text", text: "Script completed\nOutput:\n" }]);
      w.custom("c2", "exec", "throw 1").output("c2", [
        { type: "input_text", text: "Script failed\nOutput:\nError: 1" },
      ]);
    });
    expect(tools(reading).map(({ tool, state }) => [tool, state.status])).toEqual([
      ["bash", "completed"],
      ["exec", "error"],
    ]);
  });

  test("a picture that the model made is an attachment", () => {
    const reading = called((w) => {
      w.line("response_item", { type: "image_generation_call", id: "i1", revised_prompt: "a cat", result: "AAAA" });
    });
    expect(tools(reading)[0]?.state).toMatchObject({
      input: { prompt: "a cat" },
      attachments: [{ mime: "image/png", url: "data:image/png;base64,AAAA" }],
    });
  });
});

describe("a history that is not in pages", () => {
  const unpaged = () =>
    read((w) => {
      w.start().event("user_message", { message: "Go.", images: ["data:image/png;base64,AAAA"] });
      w.event("agent_reasoning", { text: "Hm." }).event("agent_message", { message: "First.", phase: null });
      w.call("c1", "exec_command", { cmd: "ls" }).output("c1", "Process exited with code 0\nOutput:\na\n").count();
      w.custom("c2", "apply_patch", "*** Begin Patch\n*** Add File: a.txt\n+one\n*** End Patch\n");
      const changes = { [`${CWD}/a.txt`]: { type: "add", content: "one\n" } };
      w.event("patch_apply_end", { call_id: "c2", success: true, changes }).output("c2", "Exit code: 0").count();
      w.event("context_compacted").event("agent_message", { message: "Done." }).count().complete();
    });

  test("has prompts, texts, reasoning, commands, patches and compactions", () => {
    const reading = unpaged();
    expect(parts(reading).flatMap((part) => (part.type.startsWith("step") ? [] : [part.type]))).toEqual([
      "text",
      "file",
      "reasoning",
      "text",
      "tool",
      "tool",
      "compaction",
      "text",
    ]);
    expect(tools(reading)).toMatchObject([
      { tool: "bash", state: { output: "a\n" } },
      { tool: "write", state: { metadata: { files: [{ relativePath: "a.txt", additions: 1 }] } } },
    ]);
  });

  test("names in a copy the threads it was copied from: only the first counts", () => {
    const reading = read((w) => {
      w.begin({ id: threadID(9), cwd: "/elsewhere", cli_version: "0.1.0" })
        .start()
        .say("Old.")
        .count()
        .complete();
    });
    expect(main(reading).info).toMatchObject({
      directory: CWD,
      metadata: { native: { sessionID: THREAD, version: "0.171.0" } },
    });
  });
});

describe("subagents", () => {
  const child = threadID(2);
  const spawned = (w: Writer) => {
    w.start().user("Delegate.").call("c1", "spawn_agent", { message: "Count." }, { namespace: "multi_agent_v1" });
    w.begin({ parent_thread_id: THREAD, agent_nickname: "Ada" }, child);
    w.start("k1", {}, child).user("Count.", "k1", child);
    const item = { type: "CollabAgentToolCall", id: "c1", tool: "spawn_agent", status: "completed", prompt: "Count." };
    w.item({ ...item, receiver_thread_ids: [child] }).count();
    w.say("There are 2.", "k1", child).count(child).complete("k1", {}, child).say("Two.").count().complete();
  };

  test("are child sessions that their call names", () => {
    const reading = read(spawned);
    const session = reading.final.sessions.find(({ info }) => info.parentID !== undefined);
    expect(session?.info).toMatchObject({
      parentID: main(reading).info.id,
      title: "Count.",
      metadata: { native: { sessionID: child, nickname: "Ada" } },
    });
    expect(session?.messages).toHaveLength(2);
    expect(tools(reading)[0]).toMatchObject({ tool: "task", state: { metadata: { sessionId: session?.info.id } } });
  });

  test("do not say again what they were given of their parent's history", () => {
    const reading = read((w) => {
      w.start().user("Delegate.").begin({ parent_thread_id: THREAD, subagent_history_start_ordinal: 5 }, child);
      w.begin({ id: THREAD }, child).start("t1", {}, child).user("Delegate.", "t1", child).complete("t1", {}, child);
      w.start("k1", {}, child).say("Two.", "k1", child).count(child).complete("k1", {}, child).count().complete();
    });
    const session = reading.final.sessions.find(({ info }) => info.parentID !== undefined);
    const said = session?.messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "text" ? part.text : [])),
    );
    expect(said).toEqual(["Two."]);
  });

  test("have the same session whether their own line or their parent's call names them first", () => {
    const writer = new Writer().begin();
    spawned(writer);
    const late = writer.lines.map((line) => (line.thread === child ? { ...line, at: (line.at ?? 0) + 60_000 } : line));
    const ids = (lines: TranscriptLine[]) => readLines(lines).final.sessions.map(({ info }) => info.id);
    expect(ids(late)).toEqual(ids(writer.lines));
  });
});

describe("lines", () => {
  test("of unknown kinds change nothing and are counted", () => {
    const reading = read((w) => {
      w.start().event("brand_new").line("brand_new", {}).user("Go.");
      w.item({ type: "BrandNew", id: "x" }).say("Yes.").count().complete();
      w.line("response_item", { type: "brand_new" }).line("event_msg", { type: "task_started" });
    });
    expect([...reading.unknownKinds]).toEqual([
      ["event_msg/brand_new", 1],
      ["brand_new", 1],
      ["event_msg/item_completed/BrandNew", 1],
      ["response_item/brand_new", 1],
      ["event_msg/task_started", 1],
    ]);
    expect(texts(reading)).toEqual(["Go.", "Yes."]);
  });

  test("that come twice are read once", () => {
    const writer = new Writer().begin().start().user("Go.").say("Yes.").count().complete();
    const twice = writer.lines.flatMap((line, i) => [line, { ...line, line: i + 100 }]);
    expect(readLines(twice).final).toEqual(readLines(writer.lines).final);
  });

  test("of the CLI's own say nothing", () => {
    const reading = read((w) => {
      w.line("world_state", {}).line("compacted", { message: "…" }).line("token_usage_record", {});
      w.line("response_item", { type: "message", role: "developer", content: [] }).start().complete();
    });
    expect([...reading.unknownKinds]).toEqual([]);
  });
});

const FIXTURES = fileURLToPath(new URL("fixtures", import.meta.url));

function linesOf(name: string): TranscriptLine[] {
  const folder = join(FIXTURES, name, "rollouts");
  const files = readdirSync(folder).map((file) => {
    const raw = readFileSync(join(folder, file), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const thread = reader.fileOf([file], raw[0])?.thread ?? "";
    return raw.map((value, line): TranscriptLine => ({ thread, line, at: Date.parse(value.timestamp), raw: value }));
  });
  return files.flat().sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
}

describe.each(readdirSync(FIXTURES).filter((name) => !name.startsWith("fork")))("a rollout that grows: %s", (name) => {
  const lines = linesOf(name);
  const ids = ({ final }: Reading) =>
    final.sessions.flatMap(({ info, messages }) => [
      info.id,
      ...messages.flatMap(({ info, parts }) => [info.id, ...parts.map(({ id, messageID }) => `${messageID}/${id}`)]),
    ]);

  test("what was read of a part of it is there when it is read again", () => {
    const all = new Set(ids(readLines(lines)));
    for (let length = 2; length < lines.length; length++) {
      const missing = ids(readLines(lines.slice(0, length))).filter((id) => !all.has(id));
      expect(missing, `after ${length} lines`).toEqual([]);
    }
  });

  test("line by line it comes to the same", () => {
    expect(readLines(lines, 1).final).toEqual(readLines(lines).final);
  });
});
