import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { type PendingBlock, type Session, WireEvent } from "../../../schemas/index.js";
import { Place } from "../host/server.js";
import type { WirePeer } from "../server/wire-peer.js";
import { AGENTWIRE, agentwire, Command, createFolder, type Finished, ROOT } from "./agentwire.js";
import { writeProgram } from "./write-program.js";

/** Each starts a gateway, an agent and several commands. */
vi.setConfig({ testTimeout: 120_000 });

/** A gateway in another process, and commands that find it by its record. */
class Terminal {
  #requests = 0;

  private constructor(
    readonly place: Place,
    readonly peer: WirePeer,
  ) {}

  static async open(rounds = 1, ...options: readonly string[]): Promise<Terminal> {
    const place = new Place({ rounds, deltas: 3 });
    const peer = await place.connect(await place.serve(...options));
    await peer.request("subscribe", "events.subscribe", {});
    return new Terminal(place, peer);
  }

  run(...args: readonly string[]): Promise<Finished> {
    return this.place.run(...args, "--db", this.place.database);
  }

  start(...args: readonly string[]): Command {
    return new Command([...args, "--db", this.place.database], { env: this.place.env });
  }

  async request<T>(method: string, params: object): Promise<T> {
    return (await this.peer.request(`request ${++this.#requests}`, method, params)).result as T;
  }

  async create(title = ""): Promise<string> {
    const params = { agent: "claude", directory: this.place.directory, title };
    return (await this.request<{ session: Session }>("session.create", params)).session.id;
  }

  async prompt(sessionID: string): Promise<void> {
    await this.request("session.prompt", { sessionID, parts: [{ type: "text", text: "go" }] });
  }

  /** Resolves with what waits first. */
  async blocked(): Promise<PendingBlock> {
    await this.peer.until(() => this.peer.frames.some((frame) => frame.includes('"blocked"')));
    const [pending] = (await this.request<{ blocks: PendingBlock[] }>("block.list", {})).blocks;
    if (!pending) throw new Error("nothing waits");
    return pending;
  }

  /** A session whose first command waits. */
  async begin(title?: string): Promise<{ sessionID: string; pending: PendingBlock }> {
    const sessionID = await this.create(title);
    await this.prompt(sessionID);
    return { sessionID, pending: await this.blocked() };
  }

  async untilIdle(sessionID: string): Promise<void> {
    const idle = `"sessionID":"${sessionID}","status":{"type":"idle"}`;
    await this.peer.until(() => this.peer.frames.some((frame) => frame.includes(idle)));
  }
}

describe.skipIf(process.platform === "win32")("permit", () => {
  test("lists what waits, allows it, and a second decision is a conflict that names who decided", async () => {
    const terminal = await Terminal.open();
    expect(await terminal.run("permit")).toMatchObject({ code: 0, out: "nothing waits\n" });
    const { sessionID, pending } = await terminal.begin("fix the \u001b[31mtest");
    const { id } = pending.block;
    const listed = await terminal.run("permit");
    expect(listed.out).toBe(`${id}  bash\n  in ${sessionID} claude fix the test\n  bash: echo 1\n`);
    expect((await terminal.run("permit", "--json")).lines).toEqual([pending]);

    const allowed = await terminal.run("permit", "allow", id.slice(-6));
    expect(allowed).toMatchObject({ code: 0, out: `bash: echo 1 — allowed once by a client (${id})\n`, err: "" });
    await terminal.untilIdle(sessionID);
    const again = await terminal.run("permit", "allow", id);
    expect(again).toMatchObject({ code: 6, out: "" });
    expect(again.err).toContain(`${id} was decided already by user`);
  });

  test("denies by the session, with a reason for the agent", async () => {
    const terminal = await Terminal.open();
    const { sessionID } = await terminal.begin();
    const denied = await terminal.run("permit", "deny", "last", "--message", "not now", "--json");
    expect(denied.lines).toMatchObject([{ block: { decision: "reject", message: "not now", decidedBy: "user" } }]);
    await terminal.untilIdle(sessionID);
    const nothing = await terminal.run("permit", "deny", sessionID);
    expect(nothing).toMatchObject({ code: 3 });
    expect(nothing.err).toContain(`nothing waits in ${sessionID}`);
  });

  test("answers a question by the number of an option, and tells how where it is to be allowed", async () => {
    const player = writeProgram(
      "claude",
      [...AGENTWIRE, "trace", "play", join(ROOT, "golden-traces", "claude", "question-one")],
      createFolder(),
    );
    const terminal = await Terminal.open(1, "--program", `claude=${player}`);
    const { sessionID, pending } = await terminal.begin();
    const { id } = pending.block;
    const allowed = await terminal.run("permit", "allow", id);
    expect(allowed.code).toBe(2);
    expect(allowed.err).toContain(`agentwire permit answer ${id} ANSWER`);
    const listed = await terminal.run("permit");
    const number = /(\d+)\. SQLite/.exec(listed.out)?.[1] ?? "no number";
    const answered = await terminal.run("permit", "answer", id, number);
    expect(answered.out).toContain("answered SQLite by a client");
    await terminal.untilIdle(sessionID);
  });
});

describe.skipIf(process.platform === "win32")("sessions", () => {
  test("lists them with what waits, shows one, and changes it", async () => {
    const terminal = await Terminal.open();
    expect(await terminal.run("sessions")).toMatchObject({ code: 0, out: "no sessions\n" });
    const first = await terminal.create("first");
    const { sessionID: second, pending } = await terminal.begin("second");

    const { out } = await terminal.run("sessions");
    expect(out).toMatch(new RegExp(`^session.*\n${second} .* 1 blocked .* second\n${first} .* idle .* first\n$`));
    const { lines } = await terminal.run("sessions", "--json", "--agent", "claude", "--limit", "1");
    expect(lines).toMatchObject([{ session: { id: second, title: "second" }, blocks: [pending] }]);
    expect((await terminal.run("sessions", "--directory", terminal.place.folder)).out).toBe("no sessions\n");

    const shown = await terminal.run("sessions", "show", "last");
    expect(shown.out).toMatch(/^ses_\w+ {2}second\n {2}agent +claude\n/);
    expect(shown.out).toContain(`    ${pending.block.id} bash — bash: echo 1\n`);
    expect(shown.out).toContain("native id  00000000-0000-4000-8000-00000000bbbb");
    expect(shown.out).toMatch(/^ {2}diagnostics\n {4}session .*\n {4}process +\d+, .* 1 so far$/m);

    expect((await terminal.run("sessions", "abort", second.slice(-5))).out).toBe(
      `aborted the turn of ${second}  second\n`,
    );
    expect((await terminal.run("sessions", "archive", second)).out).toBe(`archived ${second}  second\n`);
    expect((await terminal.run("sessions", "--json")).lines).toMatchObject([{ session: { id: first } }]);
    expect((await terminal.run("sessions", "delete", second)).out).toBe(`deleted ${second}  second\n`);
    expect(await terminal.run("sessions", "show", second)).toMatchObject({ code: 3 });
  });

  test("a name that means several is refused with those it may mean", async () => {
    const terminal = await Terminal.open();
    const ids = [await terminal.create("one"), await terminal.create("other")];
    const { code, err } = await terminal.run("sessions", "show", "ses_");
    expect(code).toBe(2);
    for (const id of ids) expect(err).toContain(`\n  ${id} o`);
  });
});

describe.skipIf(process.platform === "win32")("attach", () => {
  test("shows what was said, takes a prompt, asks, and ends with the turn", async () => {
    const terminal = await Terminal.open(2);
    const sessionID = await terminal.create();
    const attached = terminal.start("attach", sessionID);
    attached.type("go\n");
    await attached.said("bash: echo 1 — [y]es, [n]o, or why not: ");
    attached.type("y\n");
    await attached.said("bash: echo 2 — ");
    attached.end("no\n");
    const { code, out } = await attached.finished;
    expect(code).toBe(0);
    expect(out).toContain(
      "> go\n1.0 1.1 1.2 \n? bash echo 1 needs permission\n✓ bash echo 1\n  said 1\n2.0 2.1 2.2 \n",
    );
    expect(out).toContain("✗ bash echo 2\n");
  });

  test("finds the session at work, and what somebody else decides is asked no more", async () => {
    const terminal = await Terminal.open();
    await terminal.create("idle");
    const { pending } = await terminal.begin("at work");
    const attached = terminal.start("attach");
    await attached.said("echo 1 — [y]es");
    await terminal.run("permit", "deny", pending.block.id);
    await attached.said("✗ bash echo 1");
    attached.end();
    const { code, out, err } = await attached.finished;
    expect(code).toBe(0);
    expect(out).toContain("> go\n1.0 1.1 1.2 \n? bash echo 1 needs permission\n");
    expect(err).toContain("bash: echo 1 — rejected by a client\n");
  });

  test("goes on when its gateway is replaced", async () => {
    const terminal = await Terminal.open(2);
    const { sessionID } = await terminal.begin();
    const attached = terminal.start("attach", sessionID);
    await attached.said("echo 1 — [y]es");
    await terminal.place.serve("--replace");
    await attached.said("connected again");
    attached.type("y\n");
    await attached.said("echo 2 — [y]es");
    attached.end("y\n");
    const { code, out } = await attached.finished;
    expect(code).toBe(0);
    expect(out.match(/1\.0 1\.1 1\.2 \n/g)).toHaveLength(1);
    expect(out).toContain("✓ bash echo 1\n  said 1\n2.0 2.1 2.2 \n? bash echo 2 needs permission\n✓ bash echo 2\n");
  });

  test("read-only, as wire events: begins with the session as it stands, decides nothing, and a signal leaves it", async () => {
    const terminal = await Terminal.open();
    const { sessionID, pending } = await terminal.begin();
    const watching = terminal.start("attach", "last", "--read-only", "--json", "--history", "0");
    await watching.said('"blocked"');
    watching.signal("SIGINT");
    const { code, lines } = await watching.finished;
    expect(code).toBe(0);
    const [first, second] = lines.map((line) => WireEvent.parse(line));
    expect(first).toMatchObject({ type: "session.updated", properties: { sessionID } });
    expect(second).toMatchObject({ properties: { part: { id: pending.partID, state: { status: "blocked" } } } });
    expect((await terminal.request<{ blocks: PendingBlock[] }>("block.list", {})).blocks).toEqual([pending]);
  });

  test("says which sessions there are where it is not clear", async () => {
    const terminal = await Terminal.open();
    expect(await terminal.run("attach")).toMatchObject({ code: 3 });
    const ids = [await terminal.create("one"), await terminal.create("other")];
    const { code, err } = await terminal.run("attach");
    expect(code).toBe(2);
    for (const id of ids) expect(err).toContain(id);
  });

  test("ends when the session is deleted", async () => {
    const terminal = await Terminal.open();
    const { sessionID } = await terminal.begin();
    const attached = terminal.start("attach", sessionID);
    await attached.said("needs permission");
    await terminal.request("session.delete", { sessionID });
    const { code, err } = await attached.finished;
    expect(code).toBe(3);
    expect(err).toContain(`${sessionID} was deleted`);
  });
});

describe("the gateway", () => {
  test("that does not run is told with how to start one", async () => {
    const folder = createFolder();
    const { code, err } = await agentwire(["sessions"], { env: { XDG_STATE_HOME: folder } });
    expect(code).toBe(3);
    expect(err).toContain(
      `no gateway serves ${join(folder, "agentwire", "agentwire.db")}\n  start one: agentwire serve\n`,
    );
  });

  test("may be named by its address and token, and refuses a wrong one", async () => {
    const place = new Place({ rounds: 1, deltas: 1 });
    const { url } = await place.serve("--no-socket");
    const found = await place.run("sessions", "--db", place.database);
    expect(found).toMatchObject({ code: 0, out: "no sessions\n" });
    const named = (...args: string[]) => agentwire(["sessions", "--url", url.replace("ws", "http"), ...args]);
    const token = join(place.folder, "agentwire", "token");
    expect(await named("--token-file", token)).toMatchObject({ code: 0, out: "no sessions\n" });
    expect(await named("--token-file", join(place.folder, "none"))).toMatchObject({ code: 3 });
    const elsewhere = await agentwire(["sessions", "--url", url.replace("ws", "http")], {
      env: { XDG_STATE_HOME: createFolder() },
    });
    expect(elsewhere).toMatchObject({ code: 4, out: "" });
    expect(await named("--db", place.database)).toMatchObject({ code: 2 });
  });
});
