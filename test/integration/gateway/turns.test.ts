import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { native } from "../../unit/adapters/claude/native.js";
import { answer, askedCall, done, init, isRunning, out, Rig, say } from "./rig.js";

const missing = { kind: "not_found" };
const conflict = { kind: "conflict" };

describe("a turn with an approval", () => {
  test("is blocked, decided, and completed", async () => {
    const rig = new Rig({ turns: [[init, ...askedCall("t1", "ls"), say("There it is."), done]] });
    const sessionID = await rig.create();
    expect(rig.starts).toEqual([]);
    const { messageID, queued } = await rig.prompt(sessionID, "What is there?");
    expect(queued).toBe(false);
    const block = await rig.block(sessionID);
    expect(block).toMatchObject({ type: "permission", permission: "bash", patterns: ["ls"], always: [] });
    expect(rig.session(sessionID).status).toEqual({ type: "busy" });
    const { block: decided } = await rig.reply(block.id, { decision: "once" });
    expect(decided).toMatchObject({ id: block.id, decision: "once", decidedBy: "user" });
    await rig.idle(sessionID);
    expect(rig.tool(sessionID, "t1").state).toMatchObject({
      status: "completed",
      output: "ls ran",
      block: { decision: "once" },
    });
    expect(rig.texts(sessionID)).toEqual(["There it is."]);
    const { messages } = await rig.gateway.handle("session.messages", { sessionID });
    expect(messages[0]?.info).toMatchObject({ id: messageID, role: "user" });
    expect(messages.slice(1).every(({ info }) => info.role === "assistant" && info.parentID === messageID)).toBe(true);
    expect(rig.logged).toEqual([]);
  });

  test("the first reply wins: a later one is told so, and the agent hears one", async () => {
    const rig = new Rig({ turns: [[init, ...askedCall("t1", "ls"), done]] });
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "go");
    const { id } = await rig.block(sessionID);
    const replies = await Promise.allSettled([
      rig.reply(id, { decision: "reject" }),
      rig.reply(id, { decision: "once" }),
    ]);
    expect(replies).toMatchObject([{ status: "fulfilled" }, { status: "rejected", reason: conflict }]);
    await rig.idle(sessionID);
    await expect(rig.reply(id, { decision: "once" })).rejects.toMatchObject(conflict);
    expect(rig.sent.filter(({ type }) => type === "control_response")).toHaveLength(1);
    expect(rig.tool(sessionID, "t1").state).toMatchObject({ status: "error", block: { decision: "reject" } });
  });

  test("a reply that does not fit is refused, and the block still waits", async () => {
    const rig = new Rig({ turns: [[init, ...askedCall("t1", "ls"), done]] });
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "go");
    const { id } = await rig.block(sessionID);
    await expect(rig.reply(id, { decision: "always" })).rejects.toMatchObject({ kind: "not_supported" });
    await expect(rig.reply(id, {})).rejects.toMatchObject({ kind: "invalid_params" });
    await expect(rig.reply("per_nobody", { decision: "once" })).rejects.toMatchObject(missing);
    const { blocks } = await rig.gateway.handle("block.list", { sessionID });
    expect(blocks).toHaveLength(1);
    await rig.reply(id, { decision: "once" });
    await rig.idle(sessionID);
  });
});

describe("rules and siblings", () => {
  const suggestion = { type: "addRules", behavior: "allow", rules: [{ toolName: "Bash", ruleContent: "cat *" }] };
  /** Two asks at once: the second is written before the first is answered. */
  const twoAsks = () => {
    const [callA, askA] = askedCall("t1", "cat a", {}, [suggestion]);
    const [callB, askB] = askedCall("t2", "cat b");
    if (!callA || !callB || !askA || !askB || !("ask" in askA) || !("ask" in askB)) throw new Error("no asks");
    const second = { ...askB, allow: [...(askB.allow ?? []), done], deny: [...(askB.deny ?? []), done] };
    return [init, callA, callB, { out: askA.ask }, second];
  };

  test("always unblocks the sibling that it covers, and nothing is logged", async () => {
    const rig = new Rig({ turns: [twoAsks()] });
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "go");
    const [first] = await rig.blocks(sessionID, 2);
    await rig.reply(String(first?.block.id), { decision: "always" });
    await rig.idle(sessionID);
    expect(rig.tool(sessionID, "t2").state).toMatchObject({ status: "completed", block: { decidedBy: "rule" } });
    expect(rig.session(sessionID).permission).toMatchObject([{ pattern: "cat *", source: "approval" }]);
    expect(rig.logged).toEqual([]);
  });

  test("a rejection takes the sibling with it, and nothing is logged", async () => {
    const rig = new Rig({ turns: [twoAsks()] });
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "go");
    const [first] = await rig.blocks(sessionID, 2);
    await rig.reply(String(first?.block.id), { decision: "reject" });
    await rig.idle(sessionID);
    expect(rig.tool(sessionID, "t2").state).toMatchObject({ status: "error", block: { decidedBy: "cascade" } });
    expect(rig.logged).toEqual([]);
  });

  test.each([
    ["allow", "completed"],
    ["deny", "error"],
  ] as const)("a session's rule that says %s decides without a person", async (action, status) => {
    const rig = new Rig({ turns: [[init, ...askedCall("t1", "ls"), done]] });
    const sessionID = await rig.create({ permission: [{ permission: "bash", pattern: "ls", action }] });
    await rig.prompt(sessionID, "go");
    await rig.idle(sessionID);
    expect(rig.tool(sessionID, "t1").state).toMatchObject({ status, block: { decidedBy: "rule" } });
  });

  test("rules that come while something waits decide it", async () => {
    const rig = new Rig({ turns: [[init, ...askedCall("t1", "ls"), done]] });
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "go");
    await rig.block(sessionID);
    await rig.gateway.handle("session.update", {
      sessionID,
      permission: [{ permission: "bash", pattern: "*", action: "allow" }],
    });
    await rig.idle(sessionID);
    expect(rig.tool(sessionID, "t1").state).toMatchObject({ status: "completed" });
  });
});

describe("prompts", () => {
  test("that come while a turn runs wait where everybody sees them, and are sent in order", async () => {
    const rig = new Rig({ turns: [[init, ...askedCall("t1", "ls"), done], answer("two"), answer("three")] });
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "one");
    const { id } = await rig.block(sessionID);
    const waiting = [await rig.prompt(sessionID, "two"), await rig.prompt(sessionID, "three")];
    expect(waiting.map(({ queued }) => queued)).toEqual([true, true]);
    expect(rig.session(sessionID).queue).toEqual(waiting.map(({ messageID }) => messageID));
    expect((await rig.gateway.handle("session.messages", { sessionID })).messages.at(-1)?.parts).toMatchObject([
      { text: "three" },
    ]);
    await rig.reply(id, { decision: "once" });
    await rig.until("all are answered", () => rig.texts(sessionID).includes("three"));
    await rig.idle(sessionID);
    expect(rig.prompts).toEqual(["one", "two", "three"]);
    expect(rig.texts(sessionID)).toEqual(["two", "three"]);
    expect(rig.session(sessionID).queue).toEqual([]);
    expect(rig.starts).toHaveLength(1);
  });

  test("that may not wait are refused while a turn runs, and taken when it is over", async () => {
    const rig = new Rig({ turns: [[init, ...askedCall("t1", "ls"), done], answer("two")] });
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "one");
    const { id } = await rig.block(sessionID);
    await expect(rig.prompt(sessionID, "two", { delivery: "reject" })).rejects.toMatchObject({
      kind: "busy",
      detail: { field: "delivery" },
    });
    await rig.reply(id, { decision: "once" });
    await rig.idle(sessionID);
    await rig.prompt(sessionID, "two", { delivery: "reject" });
    await rig.until("it is answered", () => rig.texts(sessionID).includes("two"));
    expect(rig.prompts).toEqual(["one", "two"]);
  });

  test("that are sent again with the same id are the same prompt, also after the turn", async () => {
    const rig = new Rig({ turns: [answer("once")] });
    const [sessionID, other] = [await rig.create(), await rig.create()];
    const messageID = "msg_chosen";
    expect(await rig.prompt(sessionID, "go", { messageID })).toEqual({ messageID, queued: false });
    expect(await rig.prompt(sessionID, "go", { messageID })).toEqual({ messageID, queued: false });
    await rig.idle(sessionID);
    expect(await rig.prompt(sessionID, "go", { messageID })).toEqual({ messageID, queued: false });
    expect(rig.prompts).toEqual(["go"]);
    await expect(rig.prompt(other, "go", { messageID })).rejects.toMatchObject({
      kind: "conflict",
      detail: { field: "messageID" },
    });
  });
});

describe("what an agent writes that is no frame", () => {
  test("noise, and terminal sequences in front of lines, do not break the turn", async () => {
    const rig = new Rig({
      turns: [
        [
          { raw: "Performing one time migration...\n" },
          { raw: `\u001b]0;title\u0007\u001b[2K${JSON.stringify(native.init({ session_id: "$session" }))}\n` },
          { raw: "[tool] deliberating...\n\n   \n" },
          say("fine"),
          { out: { type: "brand_new_kind" } },
          { out: { type: "brand_new_kind" } },
          done,
        ],
      ],
    });
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "go");
    await rig.idle(sessionID);
    expect(rig.texts(sessionID)).toEqual(["fine"]);
    expect(rig.session(sessionID)).not.toHaveProperty("error");
    expect(rig.session(sessionID).metadata?.native).toMatchObject({ model: "claude-x" });
    const diagnostics = rig.gateway.live(sessionID)?.diagnostics;
    expect(diagnostics?.noiseCount).toBe(3);
    expect(diagnostics?.unknownKinds.get("brand_new_kind")).toBe(2);
    expect(rig.logged.map(({ kind }) => kind)).toEqual(["brand_new_kind"]);
  });

  test("a line over the limit is a protocol error, and the turn goes on", async () => {
    const rig = new Rig({ turns: [[init, say("x".repeat(20_000)), say("after"), done]] }, { maxLineBytes: 10_000 });
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "go");
    await rig.idle(sessionID);
    expect(rig.texts(sessionID)).toEqual(["after"]);
    expect(rig.typed("session.error")).toMatchObject([
      { properties: { error: { name: "protocol", message: expect.stringContaining("10000 bytes") } } },
    ]);
  });

  test("a frame that was cut is a protocol error, and the turn goes on", async () => {
    const rig = new Rig({ turns: [[init, { raw: '{"type":"assistant","mess\n' }, say("after"), done]] });
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "go");
    await rig.idle(sessionID);
    expect(rig.texts(sessionID)).toEqual(["after"]);
    expect(rig.session(sessionID).error).toMatchObject({ name: "protocol" });
  });

  test("a last line without its newline is read", async () => {
    const rig = new Rig({
      turns: [
        [init, say("last words"), { raw: JSON.stringify(native.result({ user_message_uuid: "$uuid" })) }, { exit: 0 }],
      ],
    });
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "go");
    await rig.idle(sessionID);
    expect(rig.session(sessionID)).not.toHaveProperty("error");
  });
});

describe("requests that can't be honoured name what is wrong", () => {
  const rig = (options = {}) => new Rig({ turns: [] }, options);

  test.each([
    ["an agent nobody knows", { agent: "nobody" }, { kind: "not_found", detail: { field: "agent" } }],
    ["a mode the agent has no equal of", { mode: "safe-yolo" }, { kind: "invalid_params", detail: { field: "mode" } }],
    [
      "a directory that is not there",
      { directory: "/nowhere/at/all" },
      { kind: "invalid_params", detail: { field: "directory" } },
    ],
    ["a relative directory", { directory: "here" }, { kind: "invalid_params", detail: { field: "directory" } }],
  ] as const)("%s", async (_, params, error) => {
    const { gateway, store } = rig();
    const create = gateway.handle("session.create", { agent: "claude", directory: process.cwd(), ...params });
    await expect(create).rejects.toMatchObject(error);
    expect(store.sessions({ limit: 10 })).toEqual([]);
  });

  test("a directory outside the roots", async () => {
    await expect(rig({ roots: ["/nowhere"] }).create()).rejects.toMatchObject({
      kind: "forbidden",
      detail: { field: "directory" },
    });
  });

  test("a program that is not installed, with what to do", async () => {
    await expect(rig({ program: "missing" }).create()).rejects.toMatchObject({
      kind: "agent_unavailable",
      detail: { hint: expect.stringContaining("install") },
    });
  });

  test("a program that can't be started: the turn fails and says why", async () => {
    const broken = rig({ program: { command: "/nowhere/claude", args: [] } });
    const sessionID = await broken.create();
    await broken.prompt(sessionID, "go");
    await broken.idle(sessionID);
    expect(broken.session(sessionID).error).toMatchObject({
      name: "agent_exited",
      message: expect.stringContaining("/nowhere/claude"),
    });
  });

  test("a session that is there already", async () => {
    const one = rig();
    await one.create({ id: "ses_own" });
    await expect(one.create({ id: "ses_own" })).rejects.toMatchObject({ kind: "conflict", detail: { field: "id" } });
  });

  test.each([
    "session.get",
    "session.messages",
    "session.delete",
    "session.abort",
    "session.children",
    "todo.get",
    "block.list",
  ] as const)("%s of a session that is not there", async (method) => {
    await expect(rig().gateway.handle(method, { sessionID: "ses_nobody" })).rejects.toMatchObject({
      ...missing,
      detail: { field: "sessionID" },
    });
  });

  test("a blob that is not there", async () => {
    await expect(rig().gateway.handle("blob.get", { ref: "none" })).rejects.toMatchObject(missing);
  });

  test("a fork of a conversation that has not begun", async () => {
    const one = rig();
    const sessionID = await one.create();
    await expect(one.gateway.handle("session.fork", { sessionID })).rejects.toMatchObject({ kind: "invalid_params" });
  });
});

test("a large file of a prompt reaches the agent whole, is kept apart, and can be sent again", async () => {
  const rig = new Rig({
    turns: [
      [init, say("Big."), done],
      [init, say("Again."), done],
    ],
  });
  const sessionID = await rig.create();
  const data = Buffer.alloc(300 * 1024, 7).toString("base64");
  const image = (url: string) => ({ sessionID, parts: [{ type: "file" as const, mime: "image/png", url }] });
  const { messageID } = await rig.gateway.handle("session.prompt", image(`data:image/png;base64,${data}`));
  await rig.idle(sessionID);
  const { messages } = await rig.gateway.handle("session.messages", { sessionID });
  const part = messages.find(({ info }) => info.id === messageID)?.parts[0];
  if (part?.type !== "file" || !part.blobs?.["/url"]) throw new Error("the file was not kept apart");
  const { ref } = part.blobs["/url"];
  expect(part).toMatchObject({ url: `blob:${ref}`, blobs: { "/url": { bytes: 300 * 1024, mime: "image/png" } } });
  expect(await rig.gateway.handle("blob.get", { ref })).toMatchObject({ data, encoding: "base64" });
  await rig.gateway.handle("session.prompt", image(part.url));
  await rig.idle(sessionID);
  const sent = rig.sent.filter(({ type }) => type === "user").map(({ message }) => JSON.stringify(message));
  expect(sent).toHaveLength(2);
  expect(sent[0]).toContain(data);
  expect(sent[1]).toBe(sent[0]);
});

test("agents are listed with what was found of them", async () => {
  const { agents } = await new Rig({ turns: [] }, { program: "missing" }).gateway.handle("agent.list", {});
  const claude = agents.find(({ id }) => id === "claude");
  expect(claude).toMatchObject({ name: "Claude Code", capabilities: expect.arrayContaining(["permissions"]) });
  expect(claude).not.toHaveProperty("path");
});

test("deleting a session ends its agent, and nothing of it is left", async () => {
  const rig = new Rig({ turns: [[init, ...askedCall("t1", "ls"), done]] });
  const sessionID = await rig.create();
  await rig.prompt(sessionID, "go");
  const { id } = await rig.block(sessionID);
  const pid = Number(rig.starts[0]?.pid);
  expect(isRunning(pid)).toBe(true);
  await rig.gateway.handle("session.delete", { sessionID });
  expect(isRunning(pid)).toBe(false);
  await expect(rig.gateway.handle("session.get", { sessionID })).rejects.toMatchObject(missing);
  await expect(rig.reply(id, { decision: "once" })).rejects.toMatchObject(missing);
  expect(rig.events.at(-1)).toMatchObject({ type: "session.deleted" });
  expect(rig.logged).toEqual([]);
});

test("a session that is being deleted takes nothing more", async () => {
  const rig = new Rig({ turns: [[init, ...askedCall("t1", "ls"), done]], onEnd: [{ silent: true }] });
  const sessionID = await rig.create();
  await rig.prompt(sessionID, "go");
  const { id } = await rig.block(sessionID);
  const deleted = rig.gateway.handle("session.delete", { sessionID });
  await expect(rig.prompt(sessionID, "more")).rejects.toMatchObject({ kind: "conflict" });
  await expect(rig.reply(id, { decision: "once" })).rejects.toMatchObject({ kind: "conflict" });
  await deleted;
  expect(rig.store.session(sessionID)).toBeUndefined();
  expect(rig.prompts).toEqual(["go"]);
});

test("an edit is blocked with the diff against the file as it is", async () => {
  const input = { file_path: "$cwd/a.txt", content: "new\n" };
  const ask = { ask: native.ask("r1", "t1", "Write", input), allow: [done] };
  const rig = new Rig({ turns: [[init, ...out(native.whole("m", native.call("t1", "Write", input))), ask]] });
  writeFileSync(join(rig.directory, "a.txt"), "old\n");
  const sessionID = await rig.create();
  await rig.prompt(sessionID, "go");
  const block = await rig.block(sessionID);
  expect(block).toMatchObject({ metadata: { diff: "--- a.txt\n+++ a.txt\n@@ -1,1 +1,1 @@\n-old\n+new\n" } });
  await rig.reply(block.id, { decision: "once" });
  await rig.idle(sessionID);
});
