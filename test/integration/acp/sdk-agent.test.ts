import { describe, expect, test } from "vitest";
import { SdkRig } from "./sdk-rig.js";

describe("what an agent that is built with the protocol's SDK says", () => {
  test("texts and thoughts are parts of their own", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.run("think say");
    const shown = rig.parts(sessionID).flatMap((part) => ("text" in part ? [[part.type, part.text]] : []));
    expect(shown).toEqual([
      ["text", "think say"],
      ["reasoning", "Let me see."],
      ["text", "Seen.Hello there."],
    ]);
    expect(rig.last(sessionID)).toMatchObject({ finish: "stop" });
  });

  test("ids of messages keep them apart", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.run("ids");
    expect(rig.texts(sessionID)).toEqual(["first message", "second"]);
    expect(rig.store.messages(sessionID, { limit: 10 })).toHaveLength(3);
  });

  test("pictures, sounds, links and resources are files", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.run("media");
    const files = rig.parts(sessionID).filter((part) => part.type === "file");
    expect(files.map(({ mime, url }) => [mime, url.slice(0, 16)])).toEqual([
      ["image/png", "data:image/png;b"],
      ["audio/wav", "data:audio/wav;b"],
      ["text/markdown", "file:///notes.md"],
      ["text/plain", "memo:1"],
    ]);
    expect(files.at(-1)?.source).toMatchObject({ type: "resource", text: { value: "remember" } });
  });

  test("its usage, commands, title, mode, options and notices are on the session", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.run("news say");
    expect(rig.session(sessionID)).toMatchObject({ title: "A better title" });
    expect(rig.native(sessionID)).toMatchObject({
      version: "1.2.3",
      sessionID: "sdk-1",
      commands: ["fix"],
      contextTokens: 500,
      contextWindow: 1000,
      mode: "plan",
      model: "small",
      options: { mode: "plan", model: "small", effort: "low", fast: false },
    });
    const notice = rig.parts(sessionID).find((part) => part.type === "text" && part.synthetic);
    expect(notice).toMatchObject({ text: "Careful\nIt is late" });
    const tokens = { input: 100, output: 10, reasoning: 0, cache: { read: 20, write: 0 } };
    expect(rig.last(sessionID)).toMatchObject({ tokens, cost: 0.25, metadata: { turn: { tokens } } });
  });

  test("a plan is the session's todo list, whole each time", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.run("plan");
    const step = (content: string, status: string) => ({ content, status, priority: "medium" });
    expect(rig.store.todos(sessionID)).toEqual([step("one", "completed"), step("two", "in_progress")]);
    await rig.run("plans", sessionID);
    expect(rig.typed("todo.updated").map(({ properties }) => properties.todos.length)).toEqual([2, 2, 3, 2]);
  });

  test("a compaction is marked, and its summary is an answer to the mark", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.run("say compaction");
    const messages = rig.store.messages(sessionID, { limit: 10 });
    const marker = messages.find(({ parts }) => parts.some(({ type }) => type === "compaction"));
    const summary = messages.find(({ info }) => info.role === "assistant" && info.summary);
    expect(summary?.info).toMatchObject({ parentID: marker?.info.id });
    expect(rig.texts(sessionID)).toEqual(["Hello there.", "In short: hello.", "Go on."]);
    expect(rig.typed("session.compacted")).toHaveLength(1);
    expect(rig.session(sessionID).time.compacting).toBeUndefined();
  });

  test("unknown updates, odd fields and vendor requests cost no word, and every request is answered", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.run("vendor");
    expect(rig.texts(sessionID)).toEqual(["Odd but fine."]);
    expect(rig.agentLog.filter((entry) => "refused" in entry)).toEqual([{ refused: -32601 }, { refused: -32601 }]);
  });

  test("what it says after the turn is a turn of its own", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.run("later");
    await rig.until("the late text is there", () => rig.texts(sessionID).length === 2);
    expect(rig.texts(sessionID)).toEqual(["Now.", "And by the way."]);
    expect(rig.session(sessionID).status.type).toBe("busy");
    await rig.run("say", sessionID);
    expect(rig.texts(sessionID)).toEqual(["Now.", "And by the way.", "Hello there."]);
  });
});

describe("tools", () => {
  test("block, run with growing output, and complete", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "shell say");
    const block = await rig.block(sessionID);
    expect(block).toMatchObject({
      permission: "bash",
      patterns: ["ls -l"],
      always: ["ls -l"],
      decisions: ["once", "always", "reject"],
      options: [
        { optionID: "yes", decision: "once" },
        { optionID: "always", decision: "always" },
        { optionID: "no", decision: "reject" },
      ],
    });
    await rig.reply(block.id, { decision: "once" });
    await rig.idle(sessionID);
    const [tool] = rig.tools(sessionID);
    expect(tool).toMatchObject({ tool: "bash", metadata: { native: { tool: "bash", toolCallId: "call-1" } } });
    expect(tool?.state).toMatchObject({
      status: "completed",
      input: { command: "ls -l", description: "list" },
      output: "one\ntwo\n",
      metadata: { output: "one\ntwo\n", exitCode: 0 },
      block: { decision: "once", decidedBy: "user" },
    });
    const deltas = rig.typed("message.part.delta").filter(({ properties }) => properties.field !== "text");
    expect(deltas.map(({ properties }) => properties.delta).join("")).toBe("one\ntwo\n");
    expect(rig.latest("answer")).toEqual({ outcome: { outcome: "selected", optionId: "yes" } });
  });

  test("a rejection reaches the agent, and the call is an error whatever it still says", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "shell say");
    await rig.reply((await rig.block(sessionID)).id, { decision: "reject", message: "Not now" });
    await rig.idle(sessionID);
    expect(rig.tools(sessionID)[0]?.state).toMatchObject({ status: "error", error: "Not now" });
    expect(rig.latest("answer")).toEqual({ outcome: { outcome: "selected", optionId: "no" } });
    expect(rig.texts(sessionID)).toEqual(["Hello there."]);
  });

  test("of two options that allow, one must be named: neither a bare decision nor a rule chooses", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.create({ permission: [{ permission: "bash", pattern: "*", action: "allow" }] });
    await rig.prompt(sessionID, "twice");
    const block = await rig.block(sessionID);
    expect(block).toMatchObject({ decisions: ["reject"], always: [] });
    await expect(rig.reply(block.id, { decision: "once" })).rejects.toMatchObject({ kind: "not_supported" });
    await expect(rig.reply(block.id, { decision: "always" })).rejects.toMatchObject({ kind: "not_supported" });
    const { block: decided } = await rig.reply(block.id, { optionID: "there" });
    expect(decided).toMatchObject({ decision: "once", optionID: "there" });
    await rig.idle(sessionID);
    expect(rig.latest("answer")).toEqual({ outcome: { outcome: "selected", optionId: "there" } });
    expect(rig.logged).toEqual([]);
  });

  test("always adds what was offered to the session's rules", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "shell shell");
    await rig.reply((await rig.block(sessionID)).id, { decision: "always" });
    await rig.idle(sessionID);
    const decisions = rig.tools(sessionID).map(({ state }) => "block" in state && state.block);
    expect(decisions).toMatchObject([{ decidedBy: "user" }, { decidedBy: "rule", decision: "once" }]);
    expect(rig.session(sessionID).permission).toMatchObject([
      { permission: "bash", pattern: "ls -l", action: "allow" },
    ]);
  });

  test("that wait at once are decided in any order; always lets go what it covers, and nothing else", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "pair");
    const blocks = await rig.blocks(sessionID, 3);
    await rig.reply(blocks[1]?.block.id ?? "", { decision: "always" });
    const [left] = await rig.blocks(sessionID, 1);
    expect(left?.block).toMatchObject({ patterns: ["make clean"] });
    await rig.reply(left?.block.id ?? "", { decision: "reject" });
    await rig.idle(sessionID);
    const decisions = rig.tools(sessionID).map(({ state }) => "block" in state && state.block);
    expect(decisions).toMatchObject([
      { decidedBy: "rule", decision: "once" },
      { decidedBy: "user", decision: "always" },
      { decidedBy: "user", decision: "reject" },
    ]);
  });

  test("that wait at once are rejected together", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "pair");
    const [first] = await rig.blocks(sessionID, 3);
    await rig.reply(first?.block.id ?? "", { decision: "reject" });
    await rig.idle(sessionID);
    const decisions = rig.tools(sessionID).map(({ state }) => "block" in state && state.block);
    expect(decisions).toMatchObject([{ decidedBy: "user" }, { decidedBy: "cascade" }, { decidedBy: "cascade" }]);
  });

  test("an edit is asked for with its diff", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "edit");
    const block = await rig.block(sessionID);
    expect(block).toMatchObject({ permission: "edit", patterns: ["/work/a.txt"] });
    expect(block).toMatchObject({ metadata: { filepath: "/work/a.txt", diff: expect.stringContaining("-b\n+B") } });
    await rig.reply(block.id, { decision: "once" });
    await rig.idle(sessionID);
    expect(rig.tools(sessionID)[0]).toMatchObject({ tool: "edit", state: { status: "completed" } });
  });

  test("a permission for a call that was never told makes the call", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "uncalled");
    await rig.reply((await rig.block(sessionID)).id, { decision: "once" });
    await rig.idle(sessionID);
    expect(rig.tools(sessionID)[0]?.state).toMatchObject({
      status: "completed",
      input: { command: "date" },
      output: "Monday",
    });
  });

  test("output through terminal metadata is output, and a bad exit an error", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.run("terminal");
    expect(rig.tools(sessionID)[0]?.state).toMatchObject({
      status: "error",
      error: "building\nfailed",
      metadata: { output: "building\nfailed\n", exitCode: 2 },
    });
  });

  test("a picture in a result is an attachment", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.run("picture");
    expect(rig.tools(sessionID)[0]).toMatchObject({
      tool: "screenshot",
      state: { status: "completed", attachments: [{ mime: "image/png" }] },
    });
  });

  test("a call that is left open ends with the turn", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.run("open");
    expect(rig.tools(sessionID)[0]?.state).toMatchObject({ status: "error" });
  });

  test("an ask that the agent takes back waits no more", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.run("withdraw");
    expect(rig.tools(sessionID)[0]?.state).toMatchObject({
      status: "completed",
      output: "decided by the agent",
      block: { decidedBy: "agent" },
    });
    expect(rig.gateway.pendingBlocks(sessionID)).toEqual([]);
  });
});

describe("questions", () => {
  test("a form is answered by choices, lists, and words of one's own", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "form");
    const block = await rig.block(sessionID);
    expect(block).toMatchObject({
      type: "question",
      questions: [
        { header: "Database", options: [{ label: "Postgres" }, { label: "SQLite" }], custom: true },
        { header: "Tags", multiple: true },
        { header: "Sure", options: [{ label: "true" }, { label: "false" }] },
      ],
    });
    await rig.reply(block.id, { answers: [["Postgres", "the newest"], ["a", "c"], ["true"]] });
    await rig.idle(sessionID);
    const content = { database: "pg", database_custom: "the newest", tags: ["a", "c"], sure: true };
    expect(rig.latest("answer")).toEqual({ action: "accept", content });
    expect(rig.tools(sessionID)[0]).toMatchObject({ tool: "question", state: { status: "completed" } });
  });

  test("a question that is left unanswered leaves its field out", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "form");
    await rig.reply((await rig.block(sessionID)).id, { answers: [[], ["b"], []] });
    await rig.idle(sessionID);
    expect(rig.latest("answer")).toEqual({ action: "accept", content: { tags: ["b"] } });
  });

  test("a form that is rejected is declined", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "form");
    await rig.reply((await rig.block(sessionID)).id, { decision: "reject" });
    await rig.idle(sessionID);
    expect(rig.latest("answer")).toEqual({ action: "decline" });
    expect(rig.tools(sessionID)[0]?.state).toMatchObject({ status: "error", block: { rejected: true } });
  });

  test("a page to visit is a question, answered by a person or by the agent's own word", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "url");
    const block = await rig.block(sessionID);
    expect(block).toMatchObject({ metadata: { url: "http://127.0.0.1/" } });
    await rig.reply(block.id, { answers: [["Done"]] });
    await rig.idle(sessionID);
    expect(rig.latest("answer")).toEqual({ action: "accept" });
    await rig.run("visited", sessionID);
    expect(rig.tools(sessionID)[1]?.state).toMatchObject({ status: "completed", block: { decidedBy: "agent" } });
  });
});

describe("subagents", () => {
  test("are sessions of their own, whose tools block there and are listed from the root", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "subagent");
    const [pending] = await rig.blocks(sessionID);
    const [child] = rig.children(sessionID);
    expect(pending).toMatchObject({ sessionID: child?.id, tool: "bash" });
    await rig.reply(pending?.block.id ?? "", { decision: "once" });
    await rig.idle(sessionID);
    const childID = child?.id ?? "";
    expect(rig.session(childID)).toMatchObject({ title: "Look around", status: { type: "idle" } });
    expect(rig.parts(childID)[0]).toMatchObject({ type: "text", text: "What is there?" });
    expect(rig.texts(childID)).toEqual(["Looking.", "Two files."]);
    expect(rig.tools(sessionID)[0]).toMatchObject({
      tool: "task",
      state: { status: "completed", output: "Two files.", metadata: { sessionId: childID } },
    });
    expect(rig.texts(sessionID)).toEqual(["There are two files."]);
  });

  test("keep the rules of the session that began them", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.create({ permission: [{ permission: "bash", pattern: "ls", action: "allow" }] });
    await rig.run("subagent", sessionID);
    const [child] = rig.children(sessionID);
    expect(rig.tools(child?.id ?? "")[0]?.state).toMatchObject({ status: "completed", block: { decidedBy: "rule" } });
  });

  test("may outlive the turn that began them", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.run("outlive");
    const [child] = rig.children(sessionID);
    expect(rig.tools(sessionID)[0]?.state).toMatchObject({ status: "completed", metadata: { background: true } });
    const childID = child?.id ?? "";
    await rig.until("the subagent is idle", () => rig.session(childID).status.type === "idle");
    expect(rig.texts(childID)).toEqual(["Still at it. Done now."]);
    expect(rig.session(sessionID).status.type).toBe("idle");
  });
});
