import { describe, expect, test } from "vitest";
import { answer, askedCall, done, init, Rig } from "./rig.js";

const totalsOf = (rig: Rig) => rig.gateway.totals.get("claude");

describe("what an agent came to", () => {
  test("each decision counts once, for who made it, however often its tool is told of", async () => {
    const rig = new Rig({ turns: [[init, ...askedCall("t1", "ls"), ...askedCall("t2", "pwd"), done]] });
    const sessionID = await rig.create({ permission: [{ permission: "bash", pattern: "pwd", action: "allow" }] });
    await rig.prompt(sessionID, "go");
    await rig.reply((await rig.block(sessionID)).id, { decision: "once" });
    await rig.idle(sessionID);
    expect(totalsOf(rig)?.decisions).toEqual({ user: 1, rule: 1, cascade: 0, agent: 0, shutdown: 0 });
  });

  test("processes that run, that ended well, and that could not be started", async () => {
    const rig = new Rig({ turns: [answer("one"), [init, { exit: 3 }]] });
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "one");
    await rig.idle(sessionID);
    expect(totalsOf(rig)).toMatchObject({ running: 1, starts: 1 });
    await rig.prompt(sessionID, "two");
    await rig.until(
      "it has ended",
      () => totalsOf(rig)?.running === 0 && rig.session(sessionID).status.type === "idle",
    );
    expect(totalsOf(rig)?.exits).toEqual({ exited: 0, failed: 1, killed: 0, error: 0 });
  });

  test("a program that is not there is an error with its reason, and nothing runs", async () => {
    const rig = new Rig({ turns: [] }, { program: { command: "/nowhere/claude", args: [] } });
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "go");
    await rig.idle(sessionID);
    expect(totalsOf(rig)).toMatchObject({ running: 0, exits: { error: 1 } });
    const { diagnostics } = await rig.gateway.handle("session.diagnostics", { sessionID });
    expect(diagnostics.lastExit).toMatchObject({ code: null, error: expect.stringContaining("/nowhere/claude") });
    expect(rig.logged).toMatchObject([{ sessionID, reason: expect.stringContaining("/nowhere/claude") }]);
  });

  test("a silence is counted, and the log warns of it", async () => {
    const rig = new Rig({ turns: [[init, { silent: true }]] }, { stalledMs: 50 });
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "go");
    await rig.until("it is stalled", () => rig.gateway.live(sessionID)?.diagnostics.stalls === 1);
    expect(totalsOf(rig)?.stalls).toBe(1);
    expect(rig.logged).toMatchObject([{ level: 40, sessionID, msg: "the agent has said nothing for long" }]);
  });

  test("what a deleted session counted is not taken back, and the agents of all sessions are one", async () => {
    const rig = new Rig({ turns: [answer("one"), answer("two")] });
    for (const prompt of ["one", "two"]) {
      const sessionID = await rig.create();
      await rig.prompt(sessionID, prompt);
      await rig.idle(sessionID);
      await rig.gateway.handle("session.delete", { sessionID });
    }
    expect(totalsOf(rig)).toMatchObject({ frames: 6, starts: 2, running: 0, exits: { exited: 2 } });
  });
});

test("a subagent's session has the diagnostics of its root", async () => {
  const rig = new Rig({ turns: [answer("one")] });
  const sessionID = await rig.create();
  await rig.prompt(sessionID, "one");
  await rig.idle(sessionID);
  const parent = rig.session(sessionID);
  const info = { ...parent, id: "ses_child", parentID: sessionID };
  rig.store.write({ sessionID, events: [{ type: "session.created", properties: { sessionID: info.id, info } }] });
  const { diagnostics } = await rig.gateway.handle("session.diagnostics", { sessionID: info.id });
  expect(diagnostics).toMatchObject({ sessionID, frames: 3 });
});
