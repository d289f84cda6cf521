import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Message, Part, ToolPart } from "../../../../schemas/index.js";
import { type Reading, readLines, Writer } from "./writer.js";

const main = ({ final }: Reading) => {
  const [session] = final.sessions;
  if (!session) throw new Error("there is no session");
  return session;
};
const messages = (reading: Reading): Message[] => main(reading).messages.map(({ info }) => info);
const parts = (reading: Reading): Part[] => main(reading).messages.flatMap((message) => message.parts);
const texts = (reading: Reading) => parts(reading).flatMap((part) => (part.type === "text" ? [part.text] : []));
const tool = (reading: Reading, callID: string): ToolPart => {
  const all = reading.final.sessions.flatMap((session) => session.messages).flatMap((message) => message.parts);
  const found = all.find((part): part is ToolPart => part.type === "tool" && part.callID === callID);
  if (!found) throw new Error(`there is no call ${callID}`);
  return found;
};

/** Reads what was written; every law must hold for it. */
function read(write: (writer: Writer) => void, folder?: string): Reading {
  const writer = new Writer();
  write(writer);
  const reading = readLines(writer.lines, folder);
  expect(reading.violations).toEqual([]);
  return reading;
}

describe("turns", () => {
  test("a response whose blocks come as lines is one message, counted once", () => {
    const reading = read((w) => {
      w.user("Go.");
      w.answer("m1", { type: "thinking", thinking: "Hm." }, "tool_use");
      w.call("m1", "t1", "Bash", { command: "ls" });
      w.result("t1", "a.txt");
      w.say("m2", "Done.");
    });
    expect(messages(reading).map(({ role }) => role)).toEqual(["user", "assistant", "assistant"]);
    expect(messages(reading).slice(1)).toMatchObject([
      { finish: "tool-calls", tokens: { input: 10, output: 5 } },
      { finish: "stop", tokens: { input: 10, output: 5 } },
    ]);
    expect(tool(reading, "t1")).toMatchObject({ tool: "bash", state: { status: "completed", output: "a.txt" } });
  });

  test("an id of the model that comes again in another turn is another response", () => {
    const reading = read((w) => {
      w.user("One.");
      w.say("m1", "First.");
      w.user("Two.");
      w.say("m1", "Second.");
    });
    const [one, first, two, second] = messages(reading);
    expect([first, second]).toMatchObject([{ parentID: one?.id }, { parentID: two?.id }]);
    expect(texts(reading)).toEqual(["One.", "First.", "Two.", "Second."]);
  });

  test("an interrupt ends the turn as aborted, and its tools as interrupted", () => {
    const reading = read((w) => {
      w.user("Go.");
      w.call("m1", "t1", "Bash", { command: "sleep 9" });
      const rejected = "The user doesn't want to proceed with this tool use. …";
      w.result("t1", rejected, { toolDenialKind: "user-rejected", toolUseResult: "User rejected tool use" }, "", true);
      w.user([{ type: "text", text: "[Request interrupted by user for tool use]" }]);
    });
    expect(messages(reading).at(-1)).toMatchObject({ finish: "aborted" });
    expect(tool(reading, "t1").state).toMatchObject({ status: "error", metadata: { interrupted: true } });
  });

  test("what is open where the transcript ends is closed, and a prompt without an answer stays one", () => {
    const cut = read((w) => {
      w.user("Go.");
      w.call("m1", "t1", "Bash", { command: "ls" });
    });
    expect(tool(cut, "t1").state).toMatchObject({ status: "error" });
    const unanswered = read((w) => w.user("Go."));
    expect(messages(unanswered).map(({ role }) => role)).toEqual(["user"]);
    expect(main(unanswered).info.status).toEqual({ type: "idle" });
  });

  test("a failure of the API is the error of a message", () => {
    const reading = read((w) => {
      w.user("Go.");
      w.line({ type: "system", subtype: "api_error", error: { status: 529 }, retryInMs: 12.5, retryAttempt: 1 });
      const message = { id: "x", model: "<synthetic>", content: [{ type: "text", text: "API Error: 529" }] };
      w.line({ type: "assistant", message, isApiErrorMessage: true, apiErrorStatus: 529, error: "server_error" });
    });
    expect(messages(reading).at(-1)).toMatchObject({
      finish: "error",
      error: { name: "overloaded", message: "API Error: 529" },
    });
    expect(texts(reading)).toEqual(["Go."]);
  });

  test("work in the background that ended begins a turn of the agent's own", () => {
    const reading = read((w) => {
      w.user("Go.");
      w.say("m1", "Started.");
      w.user("<task-notification>\n<task-id>b1</task-id>\n</task-notification>", {
        origin: { kind: "task-notification" },
      });
      w.say("m2", "It finished.");
    });
    expect(messages(reading).map(({ role }) => role)).toEqual(["user", "assistant", "assistant"]);
    expect(messages(reading).at(-1)).toMatchObject({ metadata: { origin: "task-notification" } });
  });
});

describe("what is written in the user's name", () => {
  test("is shown as it was typed; what only the model is told is not", () => {
    const reading = read((w) => {
      w.user("<local-command-caveat>…</local-command-caveat>", { isMeta: true });
      w.user(
        "<command-name>/context</command-name>\n<command-message>context</command-message>\n<command-args>all</command-args>",
      );
      w.line({
        type: "system",
        subtype: "local_command",
        content: "<local-command-stdout>## Usage</local-command-stdout>",
      });
      w.user("<bash-input>ls</bash-input>");
      w.user("<bash-stdout>a.txt</bash-stdout><bash-stderr></bash-stderr>");
      w.user("Thanks.");
      w.say("m1", "Welcome.");
    });
    expect(texts(reading)).toEqual(["/context all", "## Usage", "!ls", "a.txt", "Thanks.", "Welcome."]);
  });

  test("prompts that went to the model as one line are the prompts that were typed", () => {
    const reading = read((w) => {
      w.note({ type: "queue-operation", operation: "enqueue", content: "A." });
      w.note({ type: "queue-operation", operation: "enqueue", content: "B." });
      w.note({ type: "queue-operation", operation: "enqueue", content: "C, never sent." });
      w.user("A.\nB.", { mergedSendUuids: ["s1"] });
      w.say("m1", "Both.");
    });
    const [, b, answer] = messages(reading);
    expect(texts(reading)).toEqual(["A.", "B.", "Both."]);
    expect(answer).toMatchObject({ parentID: b?.id });
    expect(main(reading).info.metadata).toMatchObject({ native: { undelivered: ["C, never sent."] } });
  });

  test("a prompt that the running turn took up stands in it", () => {
    const reading = read((w) => {
      w.user("Go.");
      w.call("m1", "t1", "Bash", { command: "ls" });
      w.result("t1", "a.txt");
      w.line({
        type: "attachment",
        attachment: { type: "queued_command", prompt: "Also this.", commandMode: "prompt" },
      });
      w.say("m2", "Both.");
    });
    const [first, , taken, last] = messages(reading);
    expect(taken).toMatchObject({ role: "user", metadata: { delivery: "steered" } });
    expect(last).toMatchObject({ parentID: first?.id });
  });

  test("an image is a file of the prompt, and one that a tool read is there once", () => {
    const source = { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" };
    const reading = read((w) => {
      w.user([
        { type: "text", text: "See." },
        { type: "image", source },
      ]);
      w.call("m1", "t1", "Read", { file_path: "/home/user/project/a.png" });
      w.result("t1", [{ type: "image", source }], { toolUseResult: { type: "image", file: { base64: source.data } } });
      w.say("m2", "A dot.");
    });
    expect(parts(reading)[1]).toMatchObject({ type: "file", mime: "image/png" });
    const { state } = tool(reading, "t1");
    expect(state).toMatchObject({ attachments: [{ mime: "image/png", url: `data:image/png;base64,${source.data}` }] });
    expect(JSON.stringify(state).split(source.data)).toHaveLength(2);
  });
});

describe("decisions", () => {
  test.each([
    [{ decision: "accept", source: "user_temporary", grantScope: "once" }, "once"],
    [{ decision: "accept", source: "user_temporary", grantScope: "session" }, "always"],
    [{ decision: "accept", source: "user_permanent" }, "always"],
    [{ decision: "accept", source: "user_temporary" }, "once"],
  ])("%j is %s", (permissionDecision, decision) => {
    const reading = read((w) => {
      w.user("Go.");
      w.call("m1", "t1", "Bash", { command: "ls" });
      w.result("t1", "a.txt", { permissionDecision });
    });
    expect(tool(reading, "t1").state).toMatchObject({
      block: { type: "permission", patterns: ["ls"], decision, decidedBy: "user" },
    });
  });

  test("a rejection has the user's words; what no person decided has no block", () => {
    const reading = read((w) => {
      w.user("Go.");
      w.call("m1", "t1", "Bash", { command: "rm x" });
      const user = { decision: "reject", source: "user_reject" };
      w.result("t1", "Not that one.", { permissionDecision: user }, "", true);
      w.call("m2", "t2", "Bash", { command: "ls" });
      const config = { decision: "accept", source: "config", reasonType: "mode" };
      w.result("t2", "a.txt", { permissionDecision: config });
    });
    expect(tool(reading, "t1").state).toMatchObject({ block: { decision: "reject", message: "Not that one." } });
    const { state } = tool(reading, "t2");
    expect(state).not.toHaveProperty("block");
    expect(state).toMatchObject({ metadata: { native: { permission: { source: "config", reason_type: "mode" } } } });
  });

  test("answers to questions are the labels that were chosen", () => {
    const options = [{ label: "Auth" }, { label: "Search" }, { label: "Export" }];
    const questions = [
      { question: "Which?", header: "W", options, multiSelect: true },
      { question: "Name?", header: "N", options: [], multiSelect: false },
    ];
    const reading = read((w) => {
      w.user("Ask.");
      w.call("m1", "t1", "AskUserQuestion", { questions });
      const answers = { "Which?": "Auth, Export", "Name?": "My own, free text" };
      const permissionDecision = { decision: "accept", source: "user_temporary" };
      w.result("t1", "answered", { toolUseResult: { questions, answers }, permissionDecision });
    });
    expect(tool(reading, "t1").state).toMatchObject({
      block: { type: "question", answers: [["Auth", "Export"], ["My own, free text"]] },
    });
  });
});

describe("subagents", () => {
  const spawn = (w: Writer) => {
    w.user("Delegate.");
    w.call("m1", "t1", "Agent", { description: "Count", prompt: "Count them." });
  };
  const work = (w: Writer) => {
    w.user("Count them.", {}, "a1");
    w.call("s1", "t2", "Bash", { command: "ls" }, {}, "a1");
    w.result("t2", "one", {}, "a1");
    w.say("s2", "There is 1.", {}, "a1");
  };
  const report = (w: Writer) => {
    const content = [{ type: "text", text: "There is 1." }];
    w.result("t1", content, { toolUseResult: { status: "completed", agentId: "a1", content } });
    w.say("m2", "It is one.");
  };

  test("are sessions of their own that the call names", () => {
    const reading = read((w) => {
      w.about("a1", { agentType: "general-purpose", description: "Count", toolUseId: "t1" });
      spawn(w);
      work(w);
      report(w);
    });
    const [parent, child] = reading.final.sessions;
    expect(child?.info).toMatchObject({
      parentID: parent?.info.id,
      title: "Count (@general-purpose subagent)",
      metadata: { native: { taskID: "a1", subagentType: "general-purpose" } },
    });
    expect(child?.messages).toHaveLength(3);
    expect(tool(reading, "t1").state).toMatchObject({
      output: `task_id: ${child?.info.id}\n\n<task_result>\nThere is 1.\n</task_result>`,
      metadata: { sessionId: child?.info.id },
    });
  });

  test("are known by their prompt where no file says who began them", () => {
    const reading = read((w) => {
      spawn(w);
      work(w);
    });
    const [parent, child] = reading.final.sessions;
    expect(child?.info.parentID).toBe(parent?.info.id);
    expect(tool(reading, "t1").state).toMatchObject({ metadata: { sessionId: child?.info.id } });
  });

  test("that an older version wrote into the session's own file are sessions too", () => {
    const reading = read((w) => {
      spawn(w);
      const first = w.user("Count them.", { isSidechain: true, parentUuid: null });
      w.say("s1", "There is 1.", { isSidechain: true, parentUuid: first });
    });
    expect(reading.final.sessions).toHaveLength(2);
    expect(tool(reading, "t1").state).toMatchObject({ metadata: { sessionId: reading.final.sessions[1]?.info.id } });
  });
});

describe("the tree", () => {
  test("what the user went back behind stays, marked as left behind", () => {
    const reading = read((w) => {
      w.user("One.");
      const first = w.say("m1", "First.");
      w.user("Two.");
      w.say("m2", "Wrong.");
      w.user("Two, better.", { parentUuid: first });
      w.say("m3", "Right.");
    });
    const left = main(reading).messages.filter(({ info }) => info.metadata?.abandoned === true);
    expect(left.flatMap(({ parts: own }) => own.flatMap((part) => (part.type === "text" ? [part.text] : [])))).toEqual([
      "Two.",
      "Wrong.",
    ]);
    expect(texts(reading)).toEqual(["One.", "First.", "Two.", "Wrong.", "Two, better.", "Right."]);
  });

  test("two processes that write one file lose nothing, and each answer has its own prompt", () => {
    const reading = read((w) => {
      w.user("One.");
      const first = w.say("m1", "First.");
      const here = w.user("Here.", { parentUuid: first });
      const there = w.user("There.", { parentUuid: first });
      const call = w.call("h1", "t1", "Bash", { command: "here" }, { parentUuid: here });
      w.say("e1", "Answer there.", { parentUuid: there });
      const result = w.result("t1", "ran here", { parentUuid: call });
      w.say("h2", "Answer here.", { parentUuid: result });
    });
    expect(tool(reading, "t1").state).toMatchObject({ status: "completed", output: "ran here" });
    const byText = (text: string) =>
      main(reading).messages.find(({ parts: own }) => own.some((part) => part.type === "text" && part.text === text))
        ?.info;
    expect(byText("Answer here.")).toMatchObject({ parentID: byText("Here.")?.id });
    expect(byText("Answer there.")).toMatchObject({ parentID: byText("There.")?.id });
    expect(byText("There.")?.metadata).toMatchObject({ abandoned: true });
    expect(byText("Here.")?.metadata).not.toHaveProperty("abandoned");
  });

  test("lines that a resume wrote again are read once", () => {
    const writer = new Writer();
    writer.user("One.");
    writer.say("m1", "First.");
    const again = writer.lines.map((line, i) => ({ ...line, line: 2 + i }));
    const reading = readLines([...writer.lines, ...again]);
    expect(texts(reading)).toEqual(["One.", "First."]);
  });

  test("a compaction is marked, with its summary as the answer", () => {
    const reading = read((w) => {
      w.user("One.");
      const last = w.say("m1", "First.");
      w.line({
        type: "system",
        subtype: "compact_boundary",
        parentUuid: null,
        logicalParentUuid: last,
        compactMetadata: { trigger: "manual" },
      });
      w.user("What was said.", { isCompactSummary: true });
      w.user("Two.");
      w.say("m2", "Second.");
    });
    const [, , marker, summary] = main(reading).messages;
    expect(marker?.parts).toMatchObject([{ type: "compaction", auto: false }]);
    expect(summary?.info).toMatchObject({ summary: true, parentID: marker?.info.id, finish: "stop" });
    expect(main(reading).messages.filter(({ info }) => info.metadata?.abandoned)).toEqual([]);
  });
});

describe("files", () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  const big = (path: string) => (w: Writer) => {
    w.user("Go.");
    w.call("m1", "t1", "Bash", { command: "seq 3" });
    w.result("t1", "<persisted-output>…", { toolUseResult: { persistedOutputPath: path } });
    w.say("m2", "Done.");
  };

  test("an output that stands in a file of its own is read from there", () => {
    const folder = mkdtempSync(join(tmpdir(), "agentwire-transcript-"));
    folders.push(folder);
    mkdirSync(join(folder, "tool-results"));
    writeFileSync(join(folder, "tool-results", "b1.txt"), "1\n2\n3\n");
    const reading = read(big("/elsewhere/tool-results/b1.txt"), folder);
    expect(tool(reading, "t1").state).toMatchObject({ status: "completed", output: "1\n2\n3\n" });
  });

  test("without that file, or for a path out of the folder, the line's own text stays", () => {
    expect(tool(read(big("/elsewhere/b1.txt")), "t1").state).toMatchObject({
      output: "<persisted-output>…",
      metadata: { truncated: true, outputPath: "/elsewhere/b1.txt" },
    });
    expect(tool(read(big("../../../etc/passwd"), "/nowhere/at/all"), "t1").state).toMatchObject({
      output: "<persisted-output>…",
    });
  });
});

test("ids do not change when a transcript grows", () => {
  const writer = new Writer();
  writer.user("One.");
  writer.call("m1", "t1", "Bash", { command: "ls" });
  writer.result("t1", "a.txt");
  writer.say("m2", "First.");
  writer.user("Two.");
  writer.say("m3", "Second.");
  const ids = (reading: Reading) => [...messages(reading), ...parts(reading)].map(({ id }) => id);
  const all = new Set(ids(readLines(writer.lines)));
  for (let end = 1; end < writer.lines.length; end++) {
    expect(ids(readLines(writer.lines.slice(0, end))).filter((id) => !all.has(id))).toEqual([]);
  }
});

test("kinds of lines that are not known are counted and change nothing", () => {
  const reading = read((w) => {
    w.user("One.");
    w.line({ type: "brand-new" });
    w.note({ type: "last-prompt" });
    w.say("m1", "First.");
    w.user("Two.");
  });
  expect([...reading.unknownKinds]).toEqual([["brand-new", 1]]);
  expect(messages(reading).map(({ metadata }) => metadata?.abandoned)).toEqual([undefined, undefined, undefined]);
});
