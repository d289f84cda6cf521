import { describe, expect, test } from "vitest";
import { native } from "../../unit/adapters/claude/native.js";
import { answer, askedCall, done, init, isRunning, out, Rig, say } from "./rig.js";

/** What the adapter gives a silent agent after an abort, and what a loaded machine may add. */
const ABORT_BOUND_MS = 5000;
const SLACK_MS = 3000;

function half(text: string) {
  return out(native.start("m_half"), native.open(0, { type: "text", text: "" }), native.text(0, text));
}

describe("an agent that dies in its turn", () => {
  test.each([
    ["with a code", { exit: 3 }, /exited with code 3.*boom/],
    ["by a signal", { kill: "SIGKILL" }, /ended by SIGKILL/],
    ["as if nothing were wrong", { exit: 0 }, /exited with code 0/],
  ] as const)("%s: the turn ends at once, as an error that says so", async (_, end, message) => {
    const rig = new Rig({ turns: [[init, ...half("half a "), { stderr: "boom\n" }, end]] });
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "go");
    await rig.idle(sessionID);
    const [error] = rig.typed("session.error");
    expect(error?.properties.error).toMatchObject({ name: "agent_exited", message: expect.stringMatching(message) });
    const idle = rig.typed("session.status").at(-1);
    expect(idle?.properties.status).toEqual({ type: "idle" });
    expect(Number(idle?.heardAt) - Number(error?.heardAt)).toBeLessThan(100);
    expect(rig.texts(sessionID)).toEqual(["half a "]);
    expect(rig.events.indexOf(error as never)).toBeLessThan(rig.events.indexOf(idle as never));
  });

  test("a killed agent's turn is over in a moment, whatever waits in it", async () => {
    const rig = new Rig({ turns: [[init, ...askedCall("t1", "ls")]] });
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "go");
    await rig.block(sessionID);
    const killedAt = performance.now();
    process.kill(Number(rig.gateway.live(sessionID)?.pid), "SIGKILL");
    await rig.idle(sessionID);
    expect(Number(rig.typed("session.status").at(-1)?.heardAt) - killedAt).toBeLessThan(1000);
  });

  test("what waited for a decision is rejected by the agent's end; what waited in the queue goes to a new one", async () => {
    const rig = new Rig({ turns: [[init, ...askedCall("t1", "ls")], answer("two")] });
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "one");
    const { id } = await rig.block(sessionID);
    await rig.prompt(sessionID, "two");
    process.kill(Number(rig.gateway.live(sessionID)?.pid), "SIGKILL");
    await rig.until("two is answered", () => rig.texts(sessionID).includes("two"));
    await rig.idle(sessionID);
    expect(rig.tool(sessionID, "t1").state).toMatchObject({
      status: "error",
      block: { decision: "reject", decidedBy: "agent" },
    });
    await expect(rig.reply(id, { decision: "once" })).rejects.toMatchObject({ kind: "conflict" });
    const conversation = rig.session(sessionID).metadata?.native as { sessionID: string };
    expect(rig.starts).toHaveLength(2);
    expect(rig.starts[1]?.args.join(" ")).toContain(`--resume ${conversation.sessionID}`);
  });
});

describe("abort", () => {
  test("interrupts the turn and answers when it has ended", async () => {
    const aborted = native.aborted("streaming", { user_message_uuid: "$uuid" });
    const rig = new Rig({ turns: [[init, ...half("half"), { interrupted: true }, { out: aborted }], answer("again")] });
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "go");
    await rig.until("it streams", () => rig.events.some(({ type }) => type === "message.part.delta"));
    expect(await rig.gateway.handle("session.abort", { sessionID })).toEqual({ aborted: true });
    expect(rig.session(sessionID).status).toEqual({ type: "idle" });
    expect(rig.typed("message.updated").at(-1)?.properties.info).toMatchObject({ finish: "aborted" });
    expect(rig.typed("session.error")).toEqual([]);
    await rig.prompt(sessionID, "again");
    await rig.until("the same agent answers", () => rig.texts(sessionID).includes("again"));
    expect(rig.starts).toHaveLength(1);
  });

  test("while something waits rejects it; nothing of a late decision reaches the agent", async () => {
    const aborted = native.aborted("tools", { user_message_uuid: "$uuid" });
    const [call, ask] = askedCall("t1", "ls");
    if (!call || !ask || !("ask" in ask)) throw new Error("no ask");
    const rig = new Rig({
      turns: [
        [init, call, { out: ask.ask }, { interrupted: true }, { out: native.withdraw("ask_t1") }, { out: aborted }],
      ],
    });
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "go");
    const { id } = await rig.block(sessionID);
    await rig.gateway.handle("session.abort", { sessionID });
    expect(rig.tool(sessionID, "t1").state).toMatchObject({
      status: "error",
      block: { decision: "reject", decidedBy: "user" },
    });
    await expect(rig.reply(id, { decision: "once" })).rejects.toMatchObject({ kind: "conflict" });
    expect(rig.sent.filter(({ type }) => type === "control_response")).toEqual([]);
  });

  test("of an agent that says nothing ends within its bound, by killing it; the queue goes on behind that", async () => {
    const rig = new Rig({
      turns: [[init, ...half("half"), { silent: true }], answer("next")],
      onEnd: [{ silent: true }],
    });
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "go");
    await rig.until("it streams", () => rig.events.some(({ type }) => type === "message.part.delta"));
    await rig.prompt(sessionID, "next");
    const before = performance.now();
    await rig.gateway.handle("session.abort", { sessionID, keepQueue: true });
    expect(performance.now() - before).toBeLessThan(ABORT_BOUND_MS + SLACK_MS);
    await rig.until("the next is answered", () => rig.texts(sessionID).includes("next"));
    await rig.idle(sessionID);
    expect(rig.texts(sessionID)).toEqual(["half", "next"]);
    expect(rig.typed("session.error")).toEqual([]);
    expect(isRunning(Number(rig.starts[0]?.pid))).toBe(false);
    expect(rig.starts).toHaveLength(2);
  }, 30_000);

  test("of an idle session says that there was nothing to abort", async () => {
    const rig = new Rig({ turns: [] });
    const sessionID = await rig.create();
    expect(await rig.gateway.handle("session.abort", { sessionID })).toEqual({ aborted: false });
    expect(rig.starts).toEqual([]);
  });
});

describe("the gateway ends", () => {
  test("everything: agents are gone, what waited was decided by the shutdown, the queue was not sent", async () => {
    const rig = new Rig({ turns: [[init, ...askedCall("t1", "ls"), done], answer("never")] });
    const sessionID = await rig.create();
    const unused = await rig.create();
    await rig.prompt(sessionID, "one");
    await rig.block(sessionID);
    await rig.prompt(sessionID, "two");
    const pid = Number(rig.starts[0]?.pid);
    await rig.gateway.close();
    expect(isRunning(pid)).toBe(false);
    expect(rig.tool(sessionID, "t1").state).toMatchObject({
      status: "error",
      block: { decision: "reject", decidedBy: "shutdown" },
    });
    expect(rig.session(sessionID)).toMatchObject({ status: { type: "idle" }, queue: [] });
    expect(rig.session(unused)).not.toHaveProperty("error");
    expect(rig.prompts).toEqual(["one"]);
    await expect(rig.prompt(sessionID, "late")).rejects.toMatchObject({ kind: "shutting_down" });
    expect(rig.logged).toEqual([]);
  });

  test("what a dying agent still says changes nothing", async () => {
    const rig = new Rig({
      turns: [[init, ...half("half"), { silent: true }]],
      onEnd: [
        say("late words"),
        { out: native.result({ user_message_uuid: "$uuid" }) },
        init,
        say("a turn of its own"),
        { exit: 0 },
      ],
    });
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "go");
    await rig.until("it streams", () => rig.events.some(({ type }) => type === "message.part.delta"));
    await rig.gateway.close();
    expect(rig.texts(sessionID)).toEqual(["half"]);
    expect(rig.session(sessionID)).toMatchObject({ status: { type: "idle" }, error: { name: "agent_exited" } });
  });

  test("an idle session is left as it was", async () => {
    const rig = new Rig({ turns: [answer("fine")] });
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "go");
    await rig.idle(sessionID);
    const before = rig.session(sessionID);
    await rig.gateway.close();
    expect(rig.session(sessionID)).toEqual(before);
  });
});

describe("a gateway on the database of one that was killed", () => {
  test("finds the session idle and its tools closed, and goes on with the agent's conversation", async () => {
    const script = { turns: [[init, ...askedCall("t1", "ls"), done], answer("I remember.")] };
    const killed = new Rig(script);
    const sessionID = await killed.create();
    await killed.prompt(sessionID, "one");
    const { id } = await killed.block(sessionID);
    await killed.prompt(sessionID, "never sent");
    await killed.crash();

    const rig = new Rig(script, { folder: killed.folder });
    expect(rig.session(sessionID)).toMatchObject({
      status: { type: "idle" },
      queue: [],
      error: { name: "agent_exited" },
    });
    expect(rig.tool(sessionID, "t1").state).toMatchObject({
      status: "error",
      block: { decision: "reject", decidedBy: "shutdown" },
    });
    await expect(rig.reply(id, { decision: "once" })).rejects.toMatchObject({ kind: "conflict" });

    await rig.prompt(sessionID, "two");
    await rig.until("two is answered", () => rig.texts(sessionID).includes("I remember."));
    await rig.idle(sessionID);
    const conversation = rig.session(sessionID).metadata?.native as { sessionID: string };
    expect(rig.starts[1]?.args.join(" ")).toContain(`--resume ${conversation.sessionID}`);
    expect(rig.prompts).toEqual(["one", "two"]);
    expect(rig.session(sessionID)).not.toHaveProperty("error");
  });

  test("that was idle then, with its agent at hand: the next prompt starts a new one", async () => {
    const script = { turns: [answer("one"), answer("two")] };
    const killed = new Rig(script);
    const sessionID = await killed.create();
    await killed.prompt(sessionID, "one");
    await killed.idle(sessionID);
    await killed.crash();

    const rig = new Rig(script, { folder: killed.folder });
    expect(rig.session(sessionID)).not.toHaveProperty("error");
    await rig.prompt(sessionID, "two");
    await rig.until("two is answered", () => rig.texts(sessionID).includes("two"));
    expect(rig.starts).toHaveLength(2);
    expect(rig.starts[1]?.args).toContain("--resume");
  });

  test("ids go on ascending, and nothing is told twice", async () => {
    const script = { turns: [answer("one"), answer("two")] };
    const killed = new Rig(script);
    const sessionID = await killed.create();
    await killed.prompt(sessionID, "one");
    await killed.idle(sessionID);
    const before = killed.store.messages(sessionID, { limit: 100 });
    await killed.crash();

    const rig = new Rig(script, { folder: killed.folder });
    await rig.prompt(sessionID, "two");
    await rig.until("two is answered", () => rig.texts(sessionID).includes("two"));
    await rig.idle(sessionID);
    const after = rig.store.messages(sessionID, { limit: 100 });
    expect(after.slice(0, before.length)).toEqual(before);
    const ids = after.map(({ info }) => info.id);
    expect(ids).toEqual([...ids].sort());
  });

  test("may be closed and opened again without a trace", async () => {
    const script = { turns: [answer("one")] };
    const first = new Rig(script);
    const sessionID = await first.create();
    await first.prompt(sessionID, "one");
    await first.idle(sessionID);
    const before = first.session(sessionID);
    await first.close();
    const second = new Rig(script, { folder: first.folder });
    expect(second.session(sessionID)).toEqual(before);
    expect(second.events).toEqual([]);
  });
});
