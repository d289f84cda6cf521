import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { Session } from "../../../schemas/index.js";
import { expectGone, isRunning } from "../process/harness.js";
import type { WirePeer } from "../server/wire-peer.js";
import { killGateway, Place } from "./server.js";

/** 600 ms. */
const SOON = "0.01";

async function session(peer: WirePeer, sessionID: string): Promise<Session> {
  const { result } = await peer.request(`get ${Math.random()}`, "session.get", { sessionID });
  return (result as { session: Session }).session;
}

async function takeTurn(peer: WirePeer, sessionID: string, name: string): Promise<void> {
  const heard = peer.frames.length;
  const news = (what: string) => peer.until(() => peer.frames.slice(heard).some((frame) => frame.includes(what)));
  await peer.request(`subscribe ${name}`, "events.subscribe", { sessionID });
  await peer.request(`prompt ${name}`, "session.prompt", { sessionID, parts: [{ type: "text", text: name }] });
  await news('"blocked"');
  const { result } = await peer.request(`list ${name}`, "block.list", { sessionID });
  const [{ block }] = (result as { blocks: [{ block: { id: string } }] }).blocks;
  await peer.request(`reply ${name}`, "block.reply", { blockID: block.id, decision: "once" });
  await news('"status":{"type":"idle"}');
}

test("An agent that outlived its gateway is ended by the next one when its session is not used, and comes back", {
  timeout: 60_000,
}, async () => {
  const place = new Place({ rounds: 1, deltas: 1 });
  const first = await place.serve("--idle-minutes", "60");
  const peer = await place.connect(first);
  const created = await peer.request("create", "session.create", { agent: "claude", directory: place.directory });
  const { id } = (created.result as { session: Session }).session;
  await takeTurn(peer, id, "first");
  await killGateway(first);
  const [agent = 0] = place.agentPids;
  expect(isRunning(agent)).toBe(true);

  const again = await place.connect(await place.serve("--idle-minutes", SOON));
  await expectGone(agent);
  // The gateway is told of it a moment later.
  const locks = join(place.stateFolder, "locks");
  await vi.waitFor(() => expect(readdirSync(locks)).toEqual([]), { timeout: 10_000, interval: 10 });
  expect(await session(again, id)).toMatchObject({ status: { type: "idle" }, queue: [] });
  await takeTurn(again, id, "second");
  expect((await session(again, id)).error).toBeUndefined();
  const starts = place.agentLog.flatMap(({ start }) => (Array.isArray(start) ? [start.join(" ")] : []));
  expect(starts).toHaveLength(2);
  expect(starts[1]).toContain("--resume 00000000-0000-4000-8000-00000000bbbb");
  expect(again.frames.filter((frame) => frame.includes("session.error"))).toEqual([]);
});
