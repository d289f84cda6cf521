import { appendFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ADAPTERS, type AnyAdapter } from "../../../adapters/index.js";
import { dialectOf } from "../../../src/conformance/dialects.js";
import { openStore } from "../../../src/store/open-store.js";
import { importSession, transcriptAgent } from "../../../src/transcripts/import-session.js";
import { findSessions, type SessionFiles } from "../../../src/transcripts/session-files.js";
import { THREAD, threadID, type Writer } from "../../unit/adapters/codex-rollout/writer.js";
import { agentwire } from "../cli/agentwire.js";
import { CodexTerminal } from "./codex-terminal.js";
import { follow } from "./follow.js";

const first = (w: Writer) => w.start("t1").user("One.", "t1").say("First.", "t1").count().complete("t1");
const second = (w: Writer) => w.start("t2").user("Two.", "t2").say("Second.", "t2").count().complete("t2");

/** What the folder or file comes to, as `agentwire normalize --from codex-rollout` tells it. */
async function normalize(path: string) {
  const normalizer = dialectOf("codex-rollout").normalizer({ check: true, final: true });
  await normalizer.readPath(path, async () => {});
  const { sessions } = normalizer.final();
  const texts = sessions.map(({ messages }) =>
    messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : []))).join(" "),
  );
  return { texts, violations: normalizer.violations(), unknown: [...normalizer.unknownKinds] };
}

const sessions = ({ home }: CodexTerminal) => join(home, "sessions");

describe("taking over", () => {
  test("the command line lists what there is", async () => {
    const terminal = new CodexTerminal().begin().write(first);
    const { out } = await agentwire(["import", "codex", "--list"], { env: terminal.env });
    expect(out).toBe(`${THREAD}  2026-01-01 00:00      2  ${terminal.directory}  One.\n`);
  });

  test("a session is there, what is new of it later too, and the next prompt resumes its thread", async () => {
    const terminal = new CodexTerminal().begin().write(first);
    const store = openStore({ path: ":memory:" });
    const agent = transcriptAgent(ADAPTERS.codex as AnyAdapter);
    const take = async () => {
      const [files] = await findSessions(agent.reader, sessions(terminal));
      return importSession(store, agent, files as SessionFiles);
    };
    expect(await take()).toMatchObject({ kind: "imported" });
    terminal.write(second);
    expect(await take()).toMatchObject({ kind: "imported" });
    expect(await take()).toMatchObject({ kind: "unchanged" });
    const [session] = store.sessions({ limit: 9 });
    const id = session?.id ?? "";
    expect(session).toMatchObject({ agent: "codex", title: "One.", metadata: { native: { sessionID: THREAD } } });
    expect(store.messages(id, { limit: 9 })).toHaveLength(4);
    const prompt = { type: "prompt", parts: [{ type: "text", text: "Three." }] } as const;
    const { state } = store.checkpoint(id) as { state: unknown };
    const { outputs } = agent.adapter.step(state, { at: Date.UTC(2026, 0, 2), kind: "command", command: prompt });
    expect(outputs).toContainEqual({ kind: "spawn", resume: THREAD });
    store.close();
  });
});

describe("reading", () => {
  test("a folder of many sessions, each with its subagents and no reviewer", async () => {
    const terminal = new CodexTerminal().begin().write(first);
    for (let n = 10; n < 110; n++) new CodexTerminal({ nativeID: threadID(n), beside: terminal }).begin().write(first);
    terminal.write((w) => w.begin({ source: { subagent: { thread_spawn: {} } }, session_id: THREAD }, threadID(2)));
    terminal.write((w) => w.begin({ source: { subagent: { other: "guardian" } }, session_id: THREAD }, threadID(3)));
    const { texts, violations, unknown } = await normalize(sessions(terminal));
    expect({ violations, unknown }).toEqual({ violations: [], unknown: [] });
    expect(texts).toHaveLength(102);
  });

  test("a fork with what it has from its origin, which is not in its file", async () => {
    const origin = new CodexTerminal().begin().write(first);
    const bytes = statSync(origin.file()).size;
    origin.write(second);
    const fork = new CodexTerminal({ nativeID: threadID(5), beside: origin });
    fork.begin({ history_base: { thread_id: THREAD, end_byte_offset: bytes } }).write((w) => {
      w.start("t3").user("Other.", "t3").say("Way.", "t3").count().complete("t3");
    });
    expect((await normalize(fork.file())).texts).toEqual(["One. First. Other. Way."]);
    expect((await normalize(sessions(origin))).texts).toEqual(["One. First. Two. Second.", "One. First. Other. Way."]);
  });

  test("a fork whose origin is gone with what it has of its own", async () => {
    const fork = new CodexTerminal().begin({ history_base: { thread_id: threadID(9), end_byte_offset: 99 } });
    fork.write(second);
    expect((await normalize(fork.file())).texts).toEqual(["Two. Second."]);
  });

  test("a session that was taken back to an earlier turn once, as it is now", async () => {
    const before = new CodexTerminal().begin().write(first);
    const bytes = statSync(before.file()).size;
    before.write(second);
    const after = new CodexTerminal({ beside: before, suffix: `_${threadID(8)}` });
    after.begin({ history_base: { thread_id: THREAD, end_byte_offset: bytes } }).write((w) => {
      w.start("t3").user("Better.", "t3").say("Yes.", "t3").count().complete("t3");
    });
    expect((await normalize(sessions(before))).texts).toEqual(["One. First. Better. Yes."]);
  });

  test("a line of many megabytes, and not one that was torn", async () => {
    const long = "x".repeat(6 * 1024 * 1024);
    const terminal = new CodexTerminal().begin().write((w) => w.start().user("Go.").say(long).count().complete());
    appendFileSync(terminal.file(), '{"timestamp":"2026-01-01T00:00:09.000Z","type":"event_msg","payl');
    const { texts, unknown } = await normalize(terminal.file());
    expect(unknown).toEqual([["a line that is no JSON", 1]]);
    expect(texts[0]).toHaveLength("Go. ".length + long.length);
  });
});

describe("a session in a terminal", () => {
  test("shows up as it goes, and is idle when its turn is over", async () => {
    const terminal = new CodexTerminal().begin().write((w) => w.start("t1").user("One.", "t1"));
    const { attach, until, texts, session } = follow(terminal);
    const { id, status } = await attach();
    expect(status).toEqual({ type: "busy" });
    terminal.write((w) => w.call("c1", "exec_command", { cmd: "ls" }));
    terminal.write((w) => w.say("First.", "t1"), { halves: true });
    await until(() => texts(id).includes("First."));
    expect(session(id).status).toEqual({ type: "busy" });
    terminal.write((w) => w.count().complete("t1"));
    await until(() => session(id).status.type === "idle");
    expect(texts(id)).toEqual(["One.", "First."]);
  });

  test("brings its subagents when their files appear, also on a later day", async () => {
    const terminal = new CodexTerminal().begin().write((w) => w.start("t1").user("Delegate.", "t1"));
    const { attach, until, store } = follow(terminal);
    const { id } = await attach();
    const meta = { source: { subagent: { thread_spawn: {} } }, session_id: THREAD, parent_thread_id: THREAD };
    const child = threadID(2);
    terminal.write((w) => w.begin(meta, child).start("k", {}, child).say("Counted.", "k", child), {
      day: "2026/01/02",
    });
    const session = await until(() => store.children(id)[0]);
    expect(session).toMatchObject({ parentID: id, metadata: { native: { sessionID: child } } });
  });

  test("that is a fork shows what it has from its origin", async () => {
    const origin = new CodexTerminal().begin().write(first);
    const fork = new CodexTerminal({ nativeID: threadID(5), beside: origin });
    fork.begin({ history_base: { thread_id: THREAD, end_byte_offset: statSync(origin.file()).size } });
    fork.write((w) => w.start("t3").user("Other.", "t3"));
    const { attach, until, texts } = follow(fork);
    const { id } = await attach();
    expect(texts(id)).toEqual(["One.", "First.", "Other."]);
    fork.write((w) => w.say("Way.", "t3"));
    await until(() => texts(id).includes("Way."));
    expect(texts(id)).toEqual(["One.", "First.", "Other.", "Way."]);
  });

  test("is found by its directory, and not taken for over while its file is fresh", async () => {
    const terminal = new CodexTerminal().begin().write(first);
    const { attachments, session } = follow(terminal);
    const { id } = await attachments.attach({ agent: "codex", directory: terminal.directory });
    expect(() => attachments.release(session(id))).toThrow("can only be read here");
  });
});
