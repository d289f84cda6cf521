import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { GatewayServer } from "../../../src/server/gateway-server.js";
import { createServerCore } from "../../../src/server/server-core.js";
import { sessionCreated } from "../../unit/server/events.js";
import { FakeStore } from "../../unit/server/fake-store.js";
import { handlerOf } from "../../unit/server/stream-peer.js";
import { HttpPeer } from "./http-peer.js";

let folder: string;
let store: FakeStore;
const servers: GatewayServer[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-socket-"));
  store = new FakeStore();
});

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  rmSync(folder, { recursive: true });
});

async function serve(socketPath: string): Promise<GatewayServer> {
  const handler = handlerOf((method) => ({ method }));
  const core = createServerCore({ handler, store, version: "1.2.3", log: pino({ level: "silent" }) });
  const server = await GatewayServer.listen(core, { socketPath });
  servers.push(server);
  return server;
}

const path = (): string => join(folder, "deep", "socket");
const httpOf = (socketPath: string): HttpPeer => new HttpPeer({ socketPath }, undefined);

test("serves HTTP, its events and the WebSocket to the owner, without a token", async () => {
  const server = await serve(path());
  expect(server.url).toBe(`unix:${path()}`);
  expect(statSync(path()).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, "deep")).mode & 0o777).toBe(0o700);
  const http = httpOf(path());
  expect((await http.call("session.list")).body).toEqual({ method: "session.list" });
  const stream = await http.subscribe();
  await stream.subscribed();
  store.publish(sessionCreated());
  await stream.until(() => stream.batches.length === 1);
  stream.close();
  const socket = new WebSocket(server.websocketURL);
  await once(socket, "open");
  socket.close();
  await once(socket, "close");
});

test("no page may ask there, whatever carries its request", async () => {
  await serve(path());
  for (const headers of [{ origin: "https://evil.example" }, { host: "evil.example" }] as Record<string, string>[]) {
    expect((await httpOf(path()).ask("GET", "/session", { headers })).status).toBe(403);
  }
});

test("the umask of the process stays as it was", async () => {
  const before = process.umask();
  await serve(path());
  expect(process.umask()).toBe(before);
});

test("its file is gone at the end", async () => {
  const server = await serve(path());
  await server.close();
  expect(existsSync(path())).toBe(false);
});

test("what a gateway that died left there does not matter", async () => {
  const socketPath = join(folder, "socket");
  const script = `require("net").createServer().listen(process.argv[1], () => process.stdout.write("up"))`;
  const dead = spawn(process.execPath, ["-e", script, socketPath], { stdio: ["ignore", "pipe", "inherit"] });
  await once(dead.stdout, "data");
  dead.kill("SIGKILL");
  await once(dead, "close");
  expect(existsSync(socketPath)).toBe(true);
  await serve(socketPath);
  expect((await httpOf(socketPath).ask("GET", "/health")).status).toBe(200);
});

test("a link is not followed: what it names is not ours", async () => {
  symlinkSync(join(folder, "nowhere"), join(folder, "link"));
  await expect(serve(join(folder, "link"))).rejects.toMatchObject({ kind: "conflict" });
});

test("a socket that is served, and a file that is none, are left alone", async () => {
  await serve(path());
  await expect(serve(path())).rejects.toMatchObject({ kind: "conflict", message: `The socket ${path()} is in use` });
  expect((await httpOf(path()).ask("GET", "/health")).status).toBe(200);
  const file = join(folder, "file");
  writeFileSync(file, "mine");
  await expect(serve(file)).rejects.toMatchObject({ kind: "conflict", message: `${file} exists and is no socket` });
  expect(statSync(file).size).toBe(4);
});

test("a path that cannot be is told", async () => {
  await expect(serve(join(folder, "x".repeat(200)))).rejects.toMatchObject({ kind: "invalid_params" });
});
