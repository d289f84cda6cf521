import { describe, expect, test } from "vitest";
import type { MessageWithParts, PendingBlock, Session } from "../../../schemas/index.js";
import { expectGone } from "../process/harness.js";
import type { WirePeer } from "../server/wire-peer.js";
import { ended, hostPid, killGateway, Place, type Served } from "./server.js";

const onPosix = process.platform !== "win32";
/** How often the gateway is killed within one turn; `npm run soak` does it more often. */
const KILLS = Number(process.env.SOAK_KILLS ?? 20);

/** Numbers from 0 to 1 that look random and are the same in every run. */
function* spread(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

async function begin(place: Place, peer: WirePeer, name = "first"): Promise<string> {
  const params = { agent: "claude", directory: place.directory };
  const created = await peer.request(`create ${name}`, "session.create", params);
  const { session } = created.result as { session: Session };
  await peer.request(`subscribe ${name}`, "events.subscribe", { sessionID: session.id });
  const parts = [{ type: "text", text: "go" }];
  await peer.request(`prompt ${name}`, "session.prompt", { sessionID: session.id, parts });
  return session.id;
}

/** A client that comes back: it is told what changed, then what happens. */
async function comeBack(place: Place, served: Served, sessionID: string): Promise<WirePeer> {
  const peer = await place.connect(served);
  await peer.request("subscribe", "events.subscribe", { sessionID });
  return peer;
}

async function session(peer: WirePeer, sessionID: string): Promise<Session> {
  const { result } = await peer.request(`get ${Math.random()}`, "session.get", { sessionID });
  return (result as { session: Session }).session;
}

/** Allows whatever waits, for as long as the turn goes on. */
async function allowAll(peer: WirePeer, sessionID: string): Promise<void> {
  for (let heard = -1; (await session(peer, sessionID)).status.type !== "idle"; heard = peer.frames.length) {
    const { result } = await peer.request(`list ${Math.random()}`, "block.list", { sessionID });
    for (const { block } of (result as { blocks: PendingBlock[] }).blocks) {
      await peer.request(block.id, "block.reply", { blockID: block.id, decision: "once" });
    }
    await peer.until(() => peer.frames.length !== heard);
  }
}

async function toolStates(peer: WirePeer, sessionID: string) {
  const { result } = await peer.request(`messages ${Math.random()}`, "session.messages", { sessionID, limit: 1000 });
  const parts = (result as { messages: MessageWithParts[] }).messages.flatMap((message) => message.parts);
  return parts.flatMap((part) => (part.type === "tool" ? [part.state] : []));
}

/** The whole turn is there once: every text, every command, every decision. */
async function expectWhole(place: Place, peer: WirePeer, sessionID: string): Promise<void> {
  const { result } = await peer.request("messages", "session.messages", { sessionID, limit: 1000 });
  const parts = (result as { messages: MessageWithParts[] }).messages
    .filter(({ info }) => info.role === "assistant")
    .flatMap((message) => message.parts);
  expect(parts.flatMap((part) => (part.type === "text" ? [part.text] : []))).toEqual(place.texts);
  const tools = parts.flatMap((part) => (part.type === "tool" ? [part.state] : []));
  expect(tools).toHaveLength(place.story.rounds);
  tools.forEach((state, i) => {
    expect(state).toMatchObject({ status: "completed", output: `said ${i + 1}`, block: { decision: "once" } });
  });
  const sent = place.agentLog.flatMap((entry) => (entry.in ? [entry.in as { type: string; response?: unknown }] : []));
  expect(sent.filter(({ type }) => type === "user")).toHaveLength(1);
  const answered = sent.flatMap(({ response }) => (response ? [(response as { request_id: string }).request_id] : []));
  expect(answered).toEqual(place.texts.map((_, i) => `ask_${i + 1}`));
  expect(place.agentLog.filter((entry) => entry.start)).toHaveLength(1);
}

describe.runIf(onPosix)("a turn goes on when its gateway", () => {
  test("is killed, at any moment", { timeout: KILLS * 12_000 }, async () => {
    const place = new Place({ rounds: KILLS / 2, deltas: 60 });
    const moments = spread(7);
    let served = await place.serve();
    let peer = await place.connect(served);
    const sessionID = await begin(place, peer);
    for (let kills = 0; kills < KILLS; kills += 1) {
      const answering = allowAll(peer, sessionID).catch(() => {});
      const until = peer.frames.length + 1 + Math.floor(moments.next().value * 25);
      await Promise.race([peer.until(() => peer.frames.length >= until), answering]);
      await killGateway(served);
      served = await place.serve();
      peer = await comeBack(place, served, sessionID);
    }
    await allowAll(peer, sessionID);
    await expectWhole(place, peer, sessionID);
  });

  test("is replaced on purpose", { timeout: 60_000 }, async () => {
    const place = new Place({ rounds: 2, deltas: 20 });
    const first = await place.serve();
    const peer = await place.connect(first);
    const sessionID = await begin(place, peer);
    await peer.until(() => peer.frames.some((frame) => frame.includes('"blocked"')));
    const second = await place.serve("--replace");
    expect(await ended(first.child)).toBe(0);
    const again = await comeBack(place, second, sessionID);
    await allowAll(again, sessionID);
    await expectWhole(place, again, sessionID);
  });
});

describe.runIf(process.platform === "linux")("when the agent host is killed", () => {
  test("with its gateway, the turn is closed, no agent goes on, and the next prompt works", {
    timeout: 60_000,
  }, async () => {
    const place = new Place({ rounds: 1, deltas: 5 });
    const first = await place.serve();
    const peer = await place.connect(first);
    const sessionID = await begin(place, peer);
    await peer.until(() => peer.frames.some((frame) => frame.includes('"blocked"')));
    const [agent = 0] = place.agentPids;
    process.kill(hostPid(agent), "SIGKILL");
    await killGateway(first);
    await expectGone(agent);
    const again = await comeBack(place, await place.serve(), sessionID);
    expect((await session(again, sessionID)).status).toEqual({ type: "idle" });
    expect(await toolStates(again, sessionID)).toMatchObject([{ status: "error", block: { decidedBy: "shutdown" } }]);
    await again.request("again", "session.prompt", { sessionID, parts: [{ type: "text", text: "go on" }] });
    await allowAll(again, sessionID);
    expect((await toolStates(again, sessionID)).at(-1)).toMatchObject({ status: "completed" });
    expect(place.agentLog.filter((entry) => entry.start)).toHaveLength(2);
  });

  test("under its gateway, that says so and starts another", { timeout: 60_000 }, async () => {
    const place = new Place({ rounds: 1, deltas: 5 });
    const served = await place.serve();
    const peer = await place.connect(served);
    const sessionID = await begin(place, peer);
    await peer.until(() => peer.frames.some((frame) => frame.includes('"blocked"')));
    process.kill(hostPid(place.agentPids[0] ?? 0), "SIGKILL");
    await peer.until(() => peer.frames.some((frame) => frame.includes("the agent host ended")));
    expect((await session(peer, sessionID)).status).toEqual({ type: "idle" });
    await peer.request("again", "session.prompt", { sessionID, parts: [{ type: "text", text: "go on" }] });
    await allowAll(peer, sessionID);
    expect((await toolStates(peer, sessionID)).at(-1)).toMatchObject({ status: "completed" });
  });

  test("and no other can be started, a prompt says so, and works when one can", { timeout: 60_000 }, async () => {
    const place = new Place({ rounds: 1, deltas: 1 });
    const peer = await place.connect(await place.serve());
    await begin(place, peer);
    await peer.until(() => peer.frames.some((frame) => frame.includes('"blocked"')));
    const freeSocket = place.blockSocket();
    process.kill(hostPid(place.agentPids[0] ?? 0), "SIGKILL");
    await peer.until(() => peer.frames.some((frame) => frame.includes("the agent host ended")));
    const sessionID = await begin(place, peer, "other");
    await peer.until(() => peer.frames.some((frame) => frame.includes("no agent host could be started")));
    expect((await session(peer, sessionID)).status).toEqual({ type: "idle" });
    freeSocket();
    await peer.request("again", "session.prompt", { sessionID, parts: [{ type: "text", text: "go on" }] });
    await allowAll(peer, sessionID);
    expect(await toolStates(peer, sessionID)).toMatchObject([{ status: "completed" }]);
  });
});

test.runIf(onPosix)("agents end when no gateway comes back in time", { timeout: 60_000 }, async () => {
  const place = new Place({ rounds: 1, deltas: 5 });
  const served = await place.serve("--keep-agents", "1");
  const peer = await place.connect(served);
  await begin(place, peer);
  await peer.until(() => peer.frames.some((frame) => frame.includes('"blocked"')));
  await killGateway(served);
  await expectGone(...place.agentPids);
});

test.runIf(onPosix)("two gateways do not share a database", { timeout: 30_000 }, async () => {
  const place = new Place({ rounds: 1, deltas: 1 });
  await place.serve();
  await expect(place.serve()).rejects.toThrow("exit 6");
});
