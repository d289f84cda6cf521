import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { PendingBlock, Session } from "../../../schemas/index.js";
import { ended, Place } from "../host/server.js";
import { expectGone, isRunning } from "../process/harness.js";
import { HttpPeer } from "../server/http-peer.js";
import type { WirePeer } from "../server/wire-peer.js";
import { AGENTWIRE } from "./agentwire.js";

const onLinux = process.platform === "linux";
/** Several commands one after the other, each a process that starts. */
const LONG = { timeout: 60_000 };

const WAIT = { timeout: 30_000, interval: 10 };

const createPlace = () => new Place({ rounds: 1, deltas: 3 });
const records = (place: Place) => readdirSync(place.stateFolder).filter((name) => name.endsWith(".json"));

/** The processes that were started for a place, agent hosts too: each is told of one of its paths. */
function processesOf({ folder }: Place): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => commandLineOf(pid).includes(folder)).map(Number);
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}

/** Begins a turn, which waits at a permission. */
async function beginTurn(place: Place, peer: WirePeer): Promise<string> {
  const created = await peer.request("create", "session.create", { agent: "claude", directory: place.directory });
  const { session } = created.result as { session: Session };
  await peer.request("subscribe", "events.subscribe", { sessionID: session.id });
  await peer.request("prompt", "session.prompt", { sessionID: session.id, parts: [{ type: "text", text: "go" }] });
  await peer.until(() => peer.frames.some((frame) => frame.includes('"blocked"')));
  return session.id;
}

describe("serve --daemon", () => {
  test("returns when it serves, says where and as what, and is on its own", LONG, async () => {
    const place = createPlace();
    const { code, out, err, pid, url } = await place.daemon();
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^agentwire serves http:\S+ and unix:\S+ \(token in \S+\)\nprocess \d+, log in \S+\n$/);
    const log = /log in (\S+)/.exec(out)?.[1] ?? "";
    expect(statSync(log).mode & 0o777).toBe(0o600);
    expect((await (await place.connect({ url })).request("list", "session.list", {})).result).toEqual({ sessions: [] });
    const socketPath = /unix:(\S+)/.exec(out)?.[1] ?? "";
    expect(statSync(socketPath).mode & 0o777).toBe(0o600);
    expect((await new HttpPeer({ socketPath }, undefined).call("session.list")).body).toEqual({ sessions: [] });
    if (!onLinux) return;
    const [, , , session] = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ") ?? [];
    expect(Number(session)).toBe(pid);
    expect(readlinkSync(`/proc/${pid}/cwd`)).toBe(place.stateFolder);
    expect([0, 1, 2].map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))).toEqual(["/dev/null", log, log]);
  });

  test("a closed terminal does not end it", LONG, async () => {
    const place = createPlace();
    const { pid, url } = await place.daemon();
    process.kill(pid, "SIGHUP");
    const peer = await place.connect({ url });
    expect((await peer.request("list", "session.list", {})).result).toEqual({ sessions: [] });
  });

  test("a second one for the same database is refused, and names the first", LONG, async () => {
    const place = createPlace();
    const { pid, url } = await place.daemon();
    const { code, out, err } = await place.daemon();
    expect({ code, out }).toEqual({ code: 6, out: "" });
    expect(err).toContain(`(process ${pid})`);
    expect(err).toContain(url.replace("ws", "http"));
    expect(err).toContain("--replace");
    expect(isRunning(pid)).toBe(true);
    expect(records(place)).toHaveLength(1);
  });

  test("--replace takes over with the turn that runs, and the record names the new one", LONG, async () => {
    const place = createPlace();
    const first = await place.daemon();
    await beginTurn(place, await place.connect(first));
    const second = await place.daemon("--replace");
    expect(second).toMatchObject({ code: 0, err: "" });
    await expectGone(first.pid);
    const { lines } = await place.run("status", "--db", place.database, "--json");
    expect(lines).toMatchObject([{ pid: second.pid, sessions: 1, working: 1, blocked: 1 }]);
    expect(place.agentPids.filter(isRunning)).toHaveLength(1);
  });

  test("a start that fails says why, with its exit code, and leaves nothing that runs", LONG, async () => {
    const place = createPlace();
    writeFileSync(join(place.folder, "rules.json"), "{");
    const { code, out, err } = await place.daemon("--rules", "rules.json");
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(join(place.folder, "rules.json"));
    expect(err).toContain("usage: agentwire serve");
    expect(records(place)).toEqual([]);
    const [log = ""] = readdirSync(place.stateFolder).filter((name) => name.endsWith(".log"));
    expect(readFileSync(join(place.stateFolder, log), "utf8")).toContain(join(place.folder, "rules.json"));
    if (onLinux) await vi.waitFor(() => expect(processesOf(place)).toEqual([]), WAIT);

    const { url } = await place.daemon();
    const port = new URL(url).port;
    const taken = await place.daemon("--db", "other.db", "--port", port);
    expect({ code: taken.code, out: taken.out }).toEqual({ code: 6, out: "" });
    expect(taken.err).toContain(port);
    expect(records(place)).toHaveLength(1);
    const left = () => processesOf(place).filter((pid) => commandLineOf(String(pid)).includes("other.db"));
    if (onLinux) await vi.waitFor(() => expect(left()).toEqual([]), WAIT);
  });

  describe.runIf(onLinux)("in the middle of its start", () => {
    /** The command, and the gateway that it starts: stopped, so that it cannot serve before something happens to either. */
    async function begin(place: Place): Promise<{ starter: ChildProcessWithoutNullStreams; started: number }> {
      const [command, ...args] = AGENTWIRE;
      const env = { ...process.env, XDG_STATE_HOME: place.folder };
      const starter = spawn(command, [...args, "serve", "--daemon", "--port", "0", "--db", place.database], { env });
      onTestFinished(() => {
        starter.kill("SIGKILL");
        for (const pid of processesOf(place)) process.kill(pid, "SIGKILL");
      });
      const started = await vi.waitFor(() => {
        const pid = processesOf(place).find((pid) => commandLineOf(String(pid)).includes("daemon-main"));
        return pid ?? expect.unreachable("it is not there yet");
      }, WAIT);
      process.kill(started, "SIGSTOP");
      return { starter, started };
    }

    test("it does not go on when the command is killed", LONG, async () => {
      const place = createPlace();
      const { starter, started } = await begin(place);
      starter.kill("SIGKILL");
      await ended(starter);
      process.kill(started, "SIGCONT");
      await vi.waitFor(() => expect(processesOf(place)).toEqual([]), WAIT);
    });

    test("its death is told, and where its log is", LONG, async () => {
      const place = createPlace();
      const { starter, started } = await begin(place);
      const said = text(starter.stderr);
      process.kill(started, "SIGKILL");
      expect(await ended(starter)).toBe(1);
      expect(await said).toContain("the gateway ended before it served: SIGKILL");
      expect(await said).toContain(join(place.stateFolder, "gateway-"));
    });
  });
});

test("a socket may not be asked for and refused at once", async () => {
  const { code, err } = await createPlace().run("serve", "--no-socket", "--socket", "s");
  expect(code).toBe(2);
  expect(err).toContain("--no-socket: takes back what --socket asks for");
});

describe("status", () => {
  test("tells of every gateway that runs", LONG, async () => {
    const place = createPlace();
    const first = await place.daemon();
    const second = await place.daemon("--db", "other.db", "--no-socket");
    await beginTurn(place, await place.connect(first));
    const { code, lines } = await place.run("status", "--json");
    expect(code).toBe(0);
    expect(lines).toMatchObject([
      { pid: second.pid, db: join(place.folder, "other.db"), sessions: 0 },
      { pid: first.pid, db: place.database, sessions: 1, working: 1, blocked: 1 },
    ]);
    const { out } = await place.run("status", "--db", "db");
    expect(out).toMatch(/^agentwire \S+, process \d+, up \d+ s\n/);
    expect(out).toContain(`process ${first.pid},`);
    expect(out).not.toContain(`process ${second.pid},`);
    expect(out).toMatch(/^ {2}address {3}http:\S+ and unix:\S+\.sock$/m);
    expect(out).toMatch(/^ {2}sessions {2}1, 1 at work, 1 waiting for an answer$/m);
  });

  test("says that none runs, and exits with not found", LONG, async () => {
    const place = createPlace();
    expect(await place.run("status")).toMatchObject({
      code: 3,
      out: "",
      err: expect.stringContaining("no gateway runs"),
    });
    const { code, err } = await place.run("status", "--db", "db");
    expect(code).toBe(3);
    expect(err).toContain("no gateway serves db");
  });

  test("a gateway that does not answer is told as such, within a bound", LONG, async () => {
    const place = createPlace();
    const { pid } = await place.daemon();
    process.kill(pid, "SIGSTOP");
    try {
      const { code, out } = await place.run("status");
      expect(code).toBe(1);
      expect(out).toContain(`process ${pid},`);
      expect(out).toMatch(/^ {2}sessions {2}unknown: it does not answer within 3 s$/m);
    } finally {
      process.kill(pid, "SIGCONT");
    }
  });
});

describe("stop", () => {
  test("ends the gateway and its agents, and returns when it is gone", LONG, async () => {
    const place = createPlace();
    const { pid, url } = await place.daemon();
    const sessionID = await beginTurn(place, await place.connect({ url }));
    const { code, out } = await place.run("stop", "--db", "db");
    expect({ code, out }).toEqual({ code: 0, out: `the gateway (process ${pid}) has ended\n` });
    expect([pid, ...place.agentPids].filter(isRunning)).toEqual([]);
    expect(records(place)).toEqual([]);

    const peer = await place.connect(await place.daemon());
    const { result } = await peer.request("get", "session.get", { sessionID });
    expect((result as { session: Session }).session.status).toEqual({ type: "idle" });
  });

  test("--keep-agents leaves the turn to the gateway that comes next", LONG, async () => {
    const place = createPlace();
    const { pid, url } = await place.daemon();
    await beginTurn(place, await place.connect({ url }));
    expect(await place.run("stop", "--db", "db", "--keep-agents")).toMatchObject({ code: 0, err: "" });
    expect(isRunning(pid)).toBe(false);
    expect(place.agentPids.filter(isRunning)).toHaveLength(1);

    const peer = await place.connect(await place.daemon());
    const { result } = await peer.request("blocks", "block.list", {});
    expect((result as { blocks: PendingBlock[] }).blocks).toHaveLength(1);
  });

  test("--keep-agents is refused where the agents are the gateway's own children", LONG, async () => {
    const place = createPlace();
    const { pid } = await place.daemon("--keep-agents", "0");
    const { code, err } = await place.run("stop", "--db", "db", "--keep-agents");
    expect(code).toBe(5);
    expect(err).toContain(`(process ${pid}) has no agent host`);
    expect(isRunning(pid)).toBe(true);
  });

  test("what does not run is not found, and what does is named", LONG, async () => {
    const place = createPlace();
    await place.daemon();
    const { code, err } = await place.run("stop");
    expect(code).toBe(3);
    expect(err).toContain(`name another with --db: ${place.database}`);
  });

  test("a stranger with the pid of a gateway that died is left alone", LONG, async () => {
    const place = createPlace();
    const { pid } = await place.daemon();
    const [name = ""] = records(place);
    const path = join(place.stateFolder, name);
    const record = JSON.parse(readFileSync(path, "utf8")) as object;
    writeFileSync(path, JSON.stringify({ ...record, processStart: "before" }));
    expect(await place.run("stop", "--db", "db")).toMatchObject({ code: 3 });
    expect(isRunning(pid)).toBe(true);
  });

  test("one that does not end in time is told, with what to do", LONG, async () => {
    const place = createPlace();
    const { pid } = await place.daemon();
    process.kill(pid, "SIGSTOP");
    try {
      const { code, err } = await place.run("stop", "--db", "db", "--timeout", "0.2");
      expect(code).toBe(1);
      expect(err).toContain(`(process ${pid}) has not ended within 0.2 s`);
      expect(err).toContain('"agentwire stop" once more');
    } finally {
      process.kill(pid, "SIGCONT");
    }
  });
});
