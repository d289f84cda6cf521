import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { SessionDiagnostics } from "../../../schemas/index.js";
import type { Json } from "../../unit/adapters/claude/native.js";
import { type Parsed, parsePrometheus } from "../../unit/metrics/prometheus-text.js";
import { answer, type Script } from "../gateway/rig.js";
import { HttpPeer } from "../server/http-peer.js";
import { AGENTWIRE, agentwire, createFolder } from "./agentwire.js";

const AGENT = fileURLToPath(new URL("../gateway/fixtures/scripted-agent.mjs", import.meta.url));
/** What an agent may have that must not be shown: by name in its environment, and by shape. */
const INHERITED = "correct-horse-battery";
const PASTED = `ghp_${"a1".repeat(18)}`;

const servers: ChildProcess[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    if (server.exitCode !== null || server.signalCode !== null) continue;
    server.kill("SIGTERM");
    await once(server, "close");
  }
});

/** A gateway as the command line starts it, over an agent that plays a script, with all that it logs. */
class Server {
  log = "";
  private constructor(
    readonly child: ChildProcess,
    readonly folder: string,
    readonly port: number,
  ) {
    child.stderr?.on("data", (chunk) => {
      this.log += String(chunk);
    });
  }

  static async start(script: Script, ...options: readonly string[]): Promise<Server> {
    const folder = createFolder();
    mkdirSync(join(folder, "project"));
    writeFileSync(join(folder, "script.json"), JSON.stringify({ ...script, log: join(folder, "agent.log") }));
    const program = `#!/bin/sh\nexec "${process.execPath}" "${AGENT}" "${join(folder, "script.json")}" "$@"\n`;
    writeFileSync(join(folder, "claude"), program, { mode: 0o755 });
    const [command, ...first] = AGENTWIRE;
    const own = ["serve", "--port", "0", "--db", join(folder, "db"), "--program", `claude=${join(folder, "claude")}`];
    const child = spawn(command, [...first, ...own, ...options], {
      cwd: folder,
      env: { ...process.env, XDG_STATE_HOME: folder, MY_API_KEY: INHERITED },
      stdio: ["ignore", "pipe", "pipe"],
    });
    servers.push(child);
    for await (const chunk of child.stdout) {
      const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(String(chunk))?.[1];
      if (port) return new Server(child, folder, Number(port));
    }
    throw new Error(`the server did not start: exit ${child.exitCode}`);
  }

  get token(): string {
    return readFileSync(join(this.folder, "agentwire", "token"), "utf8").trim();
  }

  peer(token?: string): HttpPeer {
    return new HttpPeer({ port: this.port }, token ?? this.token);
  }

  /** Runs one turn to its end. */
  async turn(sessionID: string): Promise<void> {
    const http = this.peer();
    await http.call("session.create", { id: sessionID, agent: "claude", directory: join(this.folder, "project") });
    const events = await http.subscribe({ sessionID });
    const parts = [{ type: "text", text: "the private prompt" }];
    await http.call("session.prompt", { sessionID, parts });
    await events.until(() => /"type":"busy".*"status":{"type":"idle"}/.test(JSON.stringify(events.batches)));
    http.close();
  }

  async metrics(): Promise<Map<string, Parsed>> {
    const { status, headers, text } = await this.peer().ask("GET", "/metrics");
    expect([status, headers["content-type"]]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    return parsePrometheus(text);
  }

  async stop(): Promise<Json[]> {
    this.child.kill("SIGTERM");
    await once(this.child, "close");
    return this.lines;
  }

  /** Resolves when it was logged. */
  async logs(message: string): Promise<void> {
    while (!this.log.includes(message)) await once(this.child.stderr ?? this.child, "data");
  }

  get lines(): Json[] {
    return this.log
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Json);
  }
}

/** What an agent says beside a turn that goes well. */
const TALK: Script = {
  turns: [
    [
      { stderr: `using ${INHERITED}\nand ${PASTED}\n` },
      { raw: `warning: token=${INHERITED}\n` },
      { out: { type: "never_heard_of" } },
      ...answer("hello"),
    ],
  ],
};

describe("the log", () => {
  test("tells what happens at every level, and never a token, a key or what was said", {
    timeout: 60_000,
  }, async () => {
    const server = await Server.start(TALK, "--log-level", "trace");
    const { token, port } = server;
    await server.turn("ses_1");
    expect((await server.peer("wrong-token-0123456789").ask("GET", `/session?token=${token}`)).status).toBe(401);
    expect((await server.peer().ask("GET", "/session", { headers: { host: "evil.example" } })).status).toBe(403);
    await refused(port, [`agentwire.token.${token}`]);
    await request(port, token, token);
    const lines = await server.stop();
    for (const secret of [token, INHERITED, PASTED, "wrong-token-0123456789", "the private prompt", "hello"]) {
      expect(server.log).not.toContain(secret);
    }
    const told = (msg: string) => lines.filter((line) => line.msg === msg);
    expect(told("the gateway serves")).toMatchObject([
      { level: 30, version: expect.any(String), pid: server.child.pid },
    ]);
    expect(told("a session was created")).toMatchObject([{ level: 30, sessionID: "ses_1", agent: "claude" }]);
    const program = join(server.folder, "claude");
    expect(told("an agent was started")).toMatchObject([{ level: 30, sessionID: "ses_1", program }]);
    expect(told("an agent has ended")).toMatchObject([
      { level: 30, sessionID: "ses_1", code: 0, ms: expect.any(Number) },
    ]);
    expect(told("the agent sent a frame of an unknown kind")).toMatchObject([{ level: 40, sessionID: "ses_1" }]);
    expect(
      told("agent stderr")
        .map(({ stderr }) => stderr)
        .join(""),
    ).toBe("using [redacted]\nand [redacted]\n");
    expect(told("a client was refused")).toMatchObject([
      { level: 40, kind: "unauthorized", reason: "The token is wrong", path: "/session" },
      { level: 40, kind: "forbidden" },
      { level: 40, kind: "unauthorized", reason: "The token is missing", path: "/" },
    ]);
    expect(told("a request")).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ connection: "http", method: "session.prompt", kind: "ok", ms: expect.any(Number) }),
        expect.objectContaining({ connection: "websocket 1", method: "[redacted]", kind: "method_not_found" }),
      ]),
    );
    expect(told("the gateway stops")).toHaveLength(1);
  });

  test("a level that there is not is a usage error that names those there are", { timeout: 60_000 }, async () => {
    const { code, err } = await agentwire(["serve", "--log-level", "loud"]);
    expect(code).toBe(2);
    expect(err).toContain("--log-level: must be one of trace, debug, info, warn, error, silent");
  });

  test("the environment gives the level, and is checked as well", { timeout: 60_000 }, async () => {
    const asked = { jsonrpc: "2.0", id: 1, method: "agent.nothing" };
    const input = `${JSON.stringify(asked)}\n`;
    const { err } = await agentwire(["stdio"], { input, env: { AGENTWIRE_LOG_LEVEL: "debug" } });
    expect(err).toContain('"method":"agent.nothing","kind":"method_not_found"');
    const quiet = await agentwire(["stdio", "--log-level", "info"], { input, env: { AGENTWIRE_LOG_LEVEL: "debug" } });
    expect(quiet).toMatchObject({ code: 0, err: "" });
    const wrong = await agentwire(["run", "claude", "x"], { env: { AGENTWIRE_LOG_LEVEL: "loud" } });
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain("AGENTWIRE_LOG_LEVEL must be one of trace, ");
  });

  test.skipIf(process.platform === "win32")("has what an agent host breaks of", { timeout: 60_000 }, async () => {
    const server = await Server.start(TALK);
    const socket = connect(findHost(server.folder));
    socket.on("error", () => {});
    socket.end("this is no message\n");
    await server.logs("the last agent host broke");
    const broke = server.lines.filter(({ msg }) => msg === "the last agent host broke");
    expect(broke).toMatchObject([{ level: 50, stderr: expect.stringContaining("SyntaxError") }]);
    await server.turn("ses_1");
  });
});

test("session.diagnostics tells of a session at work, and of one that this gateway has not used", {
  timeout: 60_000,
}, async () => {
  const server = await Server.start(TALK);
  const http = server.peer();
  await http.call("session.create", { id: "ses_idle", agent: "claude", directory: server.folder });
  await server.turn("ses_1");
  const read = async (peer: HttpPeer, sessionID: string) => {
    const { body } = await peer.call("session.diagnostics", { sessionID });
    return SessionDiagnostics.parse(body.diagnostics);
  };
  const running = await read(http, "ses_1");
  expect(running).toMatchObject({
    sessionID: "ses_1",
    agent: "claude",
    atWork: true,
    process: { pid: expect.any(Number), program: join(server.folder, "claude"), since: expect.any(Number) },
    processes: 1,
    frames: 4,
    lastFrameAt: expect.any(Number),
    unknownFrames: { never_heard_of: 1 },
    noise: { count: 1, lines: ["warning: token=[redacted]"] },
    faults: 0,
    stalls: 0,
    waiting: { inputs: 0, effects: 0, timers: expect.any(Number), reads: 0 },
  });
  expect(running.lastExit).toBeUndefined();
  expect(await read(http, "ses_idle")).toMatchObject({ atWork: true, processes: 0, frames: 0 });
  process.kill(running.process?.pid ?? 0, "SIGKILL");
  await server.logs("an agent has ended");
  const after = await read(http, "ses_1");
  expect(after.process).toBeUndefined();
  expect(after.lastExit).toMatchObject({ code: null, signal: "SIGKILL", stderr: "using [redacted]\nand [redacted]\n" });
  expect((await http.call("session.diagnostics", { sessionID: "ses_none" })).status).toBe(404);
  await server.stop();
  const next = await Server.start(TALK, "--db", join(server.folder, "db"));
  const stored = await read(next.peer(), "ses_1");
  expect(stored).toMatchObject({ atWork: false, processes: 1, frames: 0, noise: { count: 0, lines: [] } });
});

test("/metrics tells what happened, in the format of Prometheus, to who has the token", {
  timeout: 60_000,
}, async () => {
  const server = await Server.start(TALK);
  expect((await server.peer("wrong").ask("GET", "/metrics")).status).toBe(401);
  await server.turn("ses_1");
  await request(server.port, server.token, "made.up");
  const watching = await server.peer().subscribe();
  await watching.subscribed();
  await server.metrics();
  const families = await server.metrics();
  for (const [name, { help }] of families) {
    expect(name).toMatch(/^agentwire_[a-z_]+$/);
    expect(help).toMatch(/^[A-Z].*\.$/);
  }
  const value = (sample: string) => families.get(sample.replace(/{.*|_(count|bucket)$/, ""))?.samples.get(sample);
  const count = (metric: string, labels: string) => families.get(metric)?.samples.get(`${metric}_count${labels}`);
  expect({
    sessions: value("agentwire_sessions"),
    busy: value('agentwire_active_sessions{agent="claude",status="busy"}'),
    running: value('agentwire_agent_processes{agent="claude"}'),
    starts: value('agentwire_agent_starts_total{agent="claude"}'),
    failed: value('agentwire_agent_exits_total{agent="claude",reason="failed"}'),
    frames: value('agentwire_frames_total{agent="claude"}'),
    unknown: value('agentwire_unknown_frames_total{agent="claude"}'),
    noise: value('agentwire_noise_lines_total{agent="claude"}'),
    blocked: value("agentwire_blocked_tools"),
    turns: value('agentwire_turns_total{finish="stop"}'),
    created: value('agentwire_events_total{type="session.created"}'),
    prompts: value('agentwire_requests_total{method="session.prompt",kind="ok"}'),
    madeUp: value('agentwire_requests_total{method="unknown",kind="method_not_found"}'),
    prompted: count("agentwire_request_duration_seconds", '{method="session.prompt"}'),
    refused: value('agentwire_refused_clients_total{kind="unauthorized"}'),
    subscribers: value('agentwire_subscribers{transport="sse"}'),
    overflows: value("agentwire_overflows_total"),
    failures: value("agentwire_store_failures_total"),
  }).toEqual({
    sessions: 1,
    busy: 0,
    running: 1,
    starts: 1,
    failed: 0,
    frames: 4,
    unknown: 1,
    noise: 1,
    blocked: 0,
    turns: 1,
    created: 1,
    prompts: 1,
    madeUp: 1,
    prompted: 1,
    refused: 1,
    subscribers: 1,
    overflows: 0,
    failures: 0,
  });
  for (const large of ["resident_memory_bytes", "database_bytes", "network_sent_bytes_total", "uptime_seconds"]) {
    expect(value(`agentwire_${large}`)).toBeGreaterThan(0);
  }
  expect(count("agentwire_store_commit_duration_seconds", "")).toBeGreaterThan(0);
  expect([...(families.get("agentwire_build_info")?.samples ?? [])]).toEqual([
    [expect.stringContaining("version="), 1],
  ]);
  watching.close();
});

/** A WebSocket that is not let in. */
async function refused(port: number, protocols: string[]): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, protocols);
  const [error] = (await once(socket, "error")) as [Error];
  expect(error.message).toContain("401");
}

/** Asks for a method over a WebSocket, and waits for the answer. */
async function request(port: number, token: string, method: string): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { headers: { authorization: `Bearer ${token}` } });
  await once(socket, "open");
  socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method }));
  await once(socket, "message");
  socket.close();
  await once(socket, "close");
}

function findHost(folder: string): string {
  const state = join(folder, "agentwire");
  const name = readdirSync(state).find((entry) => /^host-.*\.sock$/.test(entry));
  return join(state, name ?? "there is no socket");
}
