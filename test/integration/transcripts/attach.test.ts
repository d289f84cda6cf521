import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answer, Rig } from "../gateway/rig.js";
import { follow } from "./follow.js";
import { Terminal } from "./terminal.js";

describe("a session in a terminal", () => {
  test("shows up as it goes, and is idle when its turn is over", async () => {
    const terminal = new Terminal().start().write((w) => w.user("One."));
    const { attach, until, texts, session } = follow(terminal);
    const { id, status, metadata, directory } = await attach();
    expect({ status, attached: metadata?.attached, directory }).toEqual({
      status: { type: "busy" },
      attached: true,
      directory: terminal.directory,
    });
    terminal.write((w) => w.call("m1", "t1", "Bash", { command: "ls" }));
    await until(() => texts(id).length === 1 && session(id).status.type === "busy");
    terminal.write((w) => {
      w.result("t1", "a.txt");
      w.say("m2", "First.");
    });
    await until(() => session(id).status.type === "idle");
    expect(texts(id)).toEqual(["One.", "First."]);
    terminal.write((w) => w.user("Two."));
    await until(() => session(id).status.type === "busy");
    expect(texts(id)).toEqual(["One.", "First.", "Two."]);
  });

  test("brings its subagents when their files appear", async () => {
    const terminal = new Terminal().start().write((w) => {
      w.user("Delegate.");
      w.call("m1", "t1", "Agent", { description: "Count", prompt: "Count them." });
    });
    const { attach, until, store } = follow(terminal);
    const { id } = await attach();
    terminal.about("a1", { agentType: "general-purpose", description: "Count", toolUseId: "t1" });
    terminal.write((w) => {
      w.user("Count them.", {}, "a1");
      w.say("s1", "There is 1.", {}, "a1");
    });
    const child = await until(() => store.children(id)[0]);
    expect(child).toMatchObject({ title: "Count (@general-purpose subagent)", parentID: id });
    await until(() => store.messages(child.id, { limit: 9 }).length === 2);
  });

  test("that went back to an earlier prompt marks what it left behind", async () => {
    const terminal = new Terminal().start();
    let first = "";
    terminal.write((w) => {
      w.user("One.");
      first = w.say("m1", "First.");
      w.user("Two.");
      w.say("m2", "Wrong.");
    });
    const { attach, until, texts, store } = follow(terminal);
    const { id } = await attach();
    terminal.write((w) => w.user("Two, better.", { parentUuid: first }));
    await until(() => texts(id).includes("Two, better."));
    const left = store.messages(id, { limit: 9 }).filter(({ info }) => info.metadata?.abandoned === true);
    expect(left).toHaveLength(2);
  });

  test("whose line is half written shows it when it is whole", async () => {
    const terminal = new Terminal().start().write((w) => w.user("One."));
    const { attach, until, texts } = follow(terminal);
    const { id } = await attach();
    terminal.write((w) => w.say("m1", "First."), { halves: true });
    await until(() => texts(id).includes("First."));
    expect(texts(id)).toEqual(["One.", "First."]);
  });

  test("that cleared its conversation goes on as another session", async () => {
    const terminal = new Terminal().start().write((w) => {
      w.user("One.");
      w.say("m1", "First.");
    });
    const { attach, until, store } = follow(terminal);
    const { id } = await attach();
    const cleared = new Terminal({ beside: terminal, nativeID: "cleared" });
    terminal.start("cleared");
    cleared.write((w) => w.user("Anew."));
    const next = await until(() => store.sessions({ limit: 9 }).find((session) => session.id !== id));
    expect(next.metadata).toMatchObject({ attached: true, native: { sessionID: "cleared" } });
    await until(() => store.session(id)?.metadata?.attached === undefined);
  });
});

describe("finding it", () => {
  test("by the file of its transcript, and by its directory", async () => {
    const terminal = new Terminal().start().write((w) => w.user("One."));
    const { attachments } = follow(terminal);
    const { id } = await attachments.attach({ agent: "claude", path: terminal.file() });
    expect((await attachments.attach({ agent: "claude", directory: terminal.directory })).id).toBe(id);
    expect((await attachments.attach({ agent: "claude", nativeID: terminal.nativeID })).id).toBe(id);
  });

  test("a file that is no transcript is not read, and what is not there not found", async () => {
    const terminal = new Terminal().start().write((w) => w.user("One."));
    const { attachments } = follow(terminal);
    const outside = join(terminal.config, "outside.jsonl");
    writeFileSync(outside, "{}\n");
    await expect(attachments.attach({ agent: "claude", path: outside })).rejects.toMatchObject({ kind: "forbidden" });
    for (const params of [{ nativeID: "nobody" }, { directory: "/nowhere" }])
      await expect(attachments.attach({ agent: "claude", ...params })).rejects.toMatchObject({ kind: "not_found" });
  });
});

describe("through a gateway", () => {
  test("it is only read while it is there, and a prompt goes on with it afterwards", async () => {
    const terminal = new Terminal().start().write((w) => {
      w.user("One.");
      w.say("m1", "First.");
    });
    const rig = new Rig({ turns: [answer("Second.")] }, { env: terminal.env });
    const { session } = await rig.gateway.handle("session.attach", { agent: "claude", nativeID: terminal.nativeID });
    await expect(rig.prompt(session.id, "Two.")).rejects.toMatchObject({ kind: "not_supported" });
    await expect(rig.gateway.handle("session.abort", { sessionID: session.id })).rejects.toMatchObject({
      kind: "not_supported",
    });
    terminal.stop();
    await rig.prompt(session.id, "Two.");
    await rig.idle(session.id);
    expect(rig.session(session.id).metadata).not.toHaveProperty("attached");
    expect(rig.starts[0]?.args.join(" ")).toContain(`--resume ${terminal.nativeID}`);
    expect(rig.texts(session.id)).toEqual(["First.", "Second."]);
    // What the gateway went on with is its own now.
    await expect(
      rig.gateway.handle("session.attach", { agent: "claude", nativeID: terminal.nativeID }),
    ).rejects.toMatchObject({ kind: "conflict" });
  });

  test("a gateway that comes back follows it again, and one that is deleted is followed no more", async () => {
    const terminal = new Terminal().start().write((w) => w.user("One."));
    const first = new Rig({ turns: [] }, { env: terminal.env });
    const { session } = await first.gateway.handle("session.attach", {
      agent: "claude",
      nativeID: terminal.nativeID,
    });
    await first.close();
    terminal.write((w) => w.say("m1", "First."));
    const second = new Rig({ turns: [] }, { env: terminal.env, folder: first.folder });
    await second.until("the answer is there", () => second.texts(session.id).includes("First."));
    expect(second.session(session.id).metadata).toMatchObject({ attached: true });
    await second.gateway.handle("session.delete", { sessionID: session.id });
    expect(second.store.session(session.id)).toBeUndefined();
  });
});
