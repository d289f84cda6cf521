import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type Json, native } from "../../unit/adapters/claude/native.js";
import { answer, askedCall, done, init, isRunning, Rig, type Script, type Step, say } from "./rig.js";

const CODEX = fileURLToPath(new URL("fixtures/scripted-codex.mjs", import.meta.url));
const CLAUDE_ID = "00000000-0000-4000-8000-00000000aaaa";
const CODEX_ID = "00000000-0000-7000-8000-00000000aaaa";

/** Ends the process of a session as the gateway does when nobody has used it for long; resolves when it is gone. */
async function hibernate(rig: Rig, sessionID: string): Promise<void> {
  const live = rig.gateway.live(sessionID);
  const told = rig.events.length;
  live?.command({ type: "hibernate" });
  await live?.exited;
  rig.store.flush();
  expect(rig.starts.filter(({ pid }) => isRunning(pid))).toEqual([]);
  expect(rig.events.slice(told)).toEqual([]);
}

describe("a session of Claude Code", () => {
  /** Asks for the same command in both turns, and confirms what is set. */
  const askTwice = (): Script => {
    const turn = (callID: string, begin: Step) => {
      return [begin, ...askedCall(callID, "cat a", {}, [SUGGESTION]), say("Done."), done];
    };
    const again = { out: native.init({ session_id: "$session", permissionMode: "acceptEdits" }) };
    return { turns: [turn("t1", init), turn("t2", again)], confirms: true };
  };
  const SUGGESTION = {
    type: "addRules",
    rules: [{ toolName: "Bash", ruleContent: "cat *" }],
    behavior: "allow",
    destination: "session",
  };

  test("goes on behind it with its history, its settings and what was always allowed", async () => {
    const rig = new Rig(askTwice());
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "first");
    await rig.reply((await rig.block(sessionID)).id, { decision: "always" });
    await rig.idle(sessionID);
    await rig.gateway.handle("session.setMode", { sessionID, mode: "acceptEdits" });
    await rig.gateway.handle("session.setModel", { sessionID, model: "other" });
    await rig.gateway.handle("session.setOption", { sessionID, option: "maxThinkingTokens", value: 7 });
    await rig.until("the option is in force", () => nativeOf(rig, sessionID).maxThinkingTokens === 7);
    const before = rig.session(sessionID);
    await hibernate(rig, sessionID);
    expect(rig.session(sessionID)).toEqual(before);

    const sent = rig.sent.length;
    await rig.prompt(sessionID, "second");
    await rig.idle(sessionID);
    const args = rig.starts[1]?.args.join(" ");
    expect(args).toContain(`--resume ${CLAUDE_ID}`);
    expect(args).toContain("--permission-mode acceptEdits");
    expect(args).toContain("--model other");
    expect(rig.sent.slice(sent).map(({ request }) => request)).toContainEqual({
      subtype: "set_max_thinking_tokens",
      max_thinking_tokens: 7,
    });
    expect(rig.tool(sessionID, "t2").state).toMatchObject({ status: "completed", block: { decidedBy: "rule" } });
    expect(rig.prompts).toEqual(["first", "second"]);
    expect(rig.session(sessionID)).toMatchObject({ status: { type: "idle" }, mode: "acceptEdits", model: "other" });
    expect(rig.typed("session.error")).toEqual([]);
    expect(rig.logged).toEqual([]);
  });

  test("is ended by the time, and its agent is there again with the prompt", async () => {
    const rig = new Rig({ turns: [answer("One."), answer("Two.")] }, { idleMs: 200 });
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "first");
    await rig.idle(sessionID);
    await rig.gateway.live(sessionID)?.exited;
    await rig.prompt(sessionID, "second");
    await rig.idle(sessionID);
    expect(rig.texts(sessionID)).toEqual(["One.", "Two."]);
    expect(rig.starts).toHaveLength(2);
    expect(rig.typed("session.error")).toEqual([]);
  });

  test("loses no prompt to a process that takes its time to end", async () => {
    const rig = new Rig({ turns: [answer("One."), answer("Two.")], onEnd: [{ silent: true }] });
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "first");
    await rig.idle(sessionID);
    const live = rig.gateway.live(sessionID);
    live?.command({ type: "hibernate" });
    expect(await rig.prompt(sessionID, "second")).toMatchObject({ queued: true });
    await rig.until("it is answered", () => rig.texts(sessionID).length === 2);
    expect(rig.starts).toHaveLength(2);
    expect(isRunning(rig.starts[0]?.pid ?? 0)).toBe(false);
    expect(rig.typed("session.error")).toEqual([]);
  });
});

test("a session of Codex goes on behind it with its history, its settings and what was always allowed", async () => {
  const command = "/bin/bash -lc 'cat a'";
  const rig = new Rig({ turns: [], command }, { agent: "codex", agentProgram: CODEX });
  const sessionID = await rig.create();
  await rig.prompt(sessionID, "first");
  await rig.reply((await rig.block(sessionID)).id, { decision: "always" });
  await rig.idle(sessionID);
  await rig.gateway.handle("session.setMode", { sessionID, mode: "read-only" });
  await rig.gateway.handle("session.setModel", { sessionID, model: "gpt-y" });
  await rig.gateway.handle("session.setOption", { sessionID, option: "effort", value: "high" });
  const before = rig.session(sessionID);
  await hibernate(rig, sessionID);
  expect(rig.session(sessionID)).toEqual(before);

  const sent = rig.sent.length;
  await rig.prompt(sessionID, "second");
  await rig.idle(sessionID);
  const requests = rig.sent.slice(sent);
  const find = (method: string) => requests.find((request) => request.method === method)?.params as Json;
  expect(find("thread/resume")).toMatchObject({ threadId: CODEX_ID, model: "gpt-y", sandbox: "read-only" });
  expect(find("turn/start")).toMatchObject({ model: "gpt-y", effort: "high", input: [{ text: "second" }] });
  expect(rig.starts).toHaveLength(2);
  const tools = rig.store.messages(sessionID, { limit: 100 }).flatMap(({ parts }) => parts);
  expect(tools.flatMap((part) => (part.type === "tool" ? [part.state] : []))).toMatchObject([
    { status: "completed", block: { decision: "always", decidedBy: "user" } },
    { status: "completed", block: { decidedBy: "rule" } },
  ]);
  expect(rig.session(sessionID)).toMatchObject({ status: { type: "idle" }, mode: "read-only", model: "gpt-y" });
  expect(rig.typed("session.error")).toEqual([]);
});

function nativeOf(rig: Rig, sessionID: string): Json {
  return (rig.session(sessionID).metadata?.native ?? {}) as Json;
}
