import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openStore } from "../../../src/store/open-store.js";
import { agentwire } from "../cli/agentwire.js";
import { answer, Rig } from "../gateway/rig.js";
import { Terminal } from "./terminal.js";

function conversation(): Terminal {
  return new Terminal().write((w) => {
    w.user("What is there?");
    w.call("m1", "t1", "Bash", { command: "ls" });
    w.result("t1", "a.txt");
    w.say("m2", "One file.");
  });
}

const run = (terminal: Terminal, ...args: string[]) => agentwire(["import", "claude", ...args], { env: terminal.env });

/** What a client did with the only session meanwhile. */
function archive(db: string): void {
  const store = openStore({ path: db });
  const [session] = store.sessions({ limit: 9 });
  if (!session) throw new Error("nothing was imported");
  const info = { ...session, time: { ...session.time, archived: 5 } };
  store.write({ sessionID: info.id, events: [{ type: "session.updated", properties: { sessionID: info.id, info } }] });
  store.close();
}

describe("agentwire import", () => {
  test("--list tells what there is, the newest first", async () => {
    const terminal = conversation();
    new Terminal({ beside: terminal, nativeID: "other" }).write((w) => {
      w.line({ type: "brand-new", timestamp: "2026-02-01T00:00:00.000Z" });
      w.user("Hi\nthere.", { timestamp: "2026-02-01T00:00:01.000Z" });
      w.note({ type: "custom-title", customTitle: "My title" });
    });
    const { code, out, err } = await run(terminal, "--list");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out.split("\n")).toEqual([
      `other  2026-02-01 00:00      1  ${terminal.directory}  My title`,
      `${terminal.nativeID}  2026-01-01 00:00      3  ${terminal.directory}  What is there?`,
      "",
    ]);
    expect((await run(terminal, "--list", "--project", "/elsewhere")).out).toBe("");
  });

  test("an imported session is read, twice the same, and a prompt goes on with it", async () => {
    const terminal = conversation();
    const first = new Rig({ turns: [answer("Two now.")] });
    await first.close();
    const db = join(first.folder, "db");
    const one = await run(terminal, terminal.nativeID, "--db", db);
    expect(one).toMatchObject({ code: 0, err: "" });
    const sessionID = /ses_\w+/.exec(one.out)?.[0] ?? "";
    expect(one.out).toBe(`${terminal.nativeID} is now the session ${sessionID}\n`);
    expect((await run(terminal, "--db", db)).out).toBe(`${terminal.nativeID} is the session ${sessionID}\n`);

    const rig = new Rig({ turns: [answer("Two now.")] }, { folder: first.folder });
    expect(rig.session(sessionID)).toMatchObject({ title: "What is there?", status: { type: "idle" } });
    expect(rig.tool(sessionID, "t1").state).toMatchObject({ status: "completed", output: "a.txt" });
    await rig.prompt(sessionID, "And now?");
    await rig.idle(sessionID);
    expect(rig.starts[0]?.args.join(" ")).toContain(`--resume ${terminal.nativeID}`);
    expect(rig.texts(sessionID)).toEqual(["One file.", "Two now."]);
    await rig.close();

    terminal.write((w) => w.user("And now?"));
    expect((await run(terminal, "--db", db)).out).toContain("has gone on since: left as it is");
  });

  test("a transcript that grew brings what is new", async () => {
    const terminal = conversation();
    const db = join(terminal.config, "db");
    await run(terminal, "--db", db);
    archive(db);
    terminal.write((w) => {
      w.user("And now?");
      w.say("m3", "Two.");
    });
    expect((await run(terminal, "--db", db)).out).toContain("is now the session");
    const store = openStore({ path: db });
    const [session] = store.sessions({ limit: 9 });
    expect(session?.time.archived, "it stays archived").toBe(5);
    expect(store.messages(session?.id ?? "", { limit: 9 })).toHaveLength(5);
    store.close();
  });

  test.each([
    ["no agent", [], 2, "name an agent"],
    ["an agent that is not known", ["martian"], 3, "martian"],
    ["a session that is not there", ["claude", "nobody"], 3, "there is no session nobody"],
  ])("%s", async (_, args, exit, message) => {
    const terminal = conversation();
    const { code, err } = await agentwire(["import", ...args, "--db", ":memory:"], { env: terminal.env });
    expect(code).toBe(exit);
    expect(err).toContain(message);
  });
});
