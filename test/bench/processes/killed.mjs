// The gateway is killed while an agent writes as fast as it can. Its client comes back with its cursor to the gateway that follows,
// beside one that has nothing: both must end with the same conversation, and all that was told for good must be in it.
import { EventEmitter, once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import WebSocket from "ws";
import { EMPTY_STATE, finalDocument, reduce } from "../../../dist/src/store/reduce.js";
import { report, reps } from "./report.mjs";
import { startGateway } from "./start-gateway.mjs";

const TURN = { deltas: 200_000, length: 30, perResponse: 100 };
/** Each repetition kills at another place. */
const FIRST_DEATH = 300;
const FURTHER = 170;
const PATIENCE_MS = 10_000;

/** A client that keeps what it is told; `onEvents` is called after each message. */
async function listen(url, params, state, onEvents) {
  const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 2 ** 30 });
  await once(socket, "open");
  const client = { socket, state, durable: [], cursor: params.after, gap: false };
  socket.on("message", (data) => {
    const { result, params: told } = JSON.parse(data);
    if (result) Object.assign(client, { cursor: result.cursor, gap: result.gap });
    for (const envelope of told?.events ?? []) take(client, envelope);
    onEvents(client);
  });
  socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "events.subscribe", params }));
  await once(socket, "message");
  return client;
}

function take(client, { event, cursor }) {
  client.state = reduce(client.state, event);
  if (cursor === undefined) return;
  client.cursor = cursor;
  client.durable.push(event);
}

/** Whether two clients come to the same conversation of a session that is idle, in so long at most. */
async function becomeSame(one, other, sessionID, told) {
  const end = AbortSignal.timeout(PATIENCE_MS);
  const isOver = ({ state }) => state.sessions[sessionID]?.info.status.type === "idle";
  const same = () => isDeepStrictEqual(finalDocument(one.state), finalDocument(other.state));
  while (!(isOver(one) && isOver(other) && same())) {
    const timely = await once(told, "events", { signal: end }).catch(() => undefined);
    if (timely === undefined) return false;
  }
  return true;
}

async function dieAndComeBack(db, deaths) {
  const first = await startGateway({ db, agent: "claude" });
  const { sessionID, start } = first;
  let killing = false;
  const before = await listen(first.url, { sessionID, after: start }, EMPTY_STATE, ({ durable }) => {
    if (killing || durable.length < deaths) return;
    killing = first.kill();
  });
  first.prompt({ burst: TURN });
  // What was on its way is heard, too.
  await once(before.socket, "close");

  const second = await startGateway({ db });
  const told = new EventEmitter();
  const tell = () => told.emit("events");
  const back = await listen(second.url, { sessionID, after: before.cursor }, before.state, tell);
  const fresh = await listen(second.url, { sessionID, after: start }, EMPTY_STATE, tell);
  const same = await becomeSame(back, fresh, sessionID, told);
  for (const { socket } of [back, fresh]) socket.terminate();
  await second.close();
  const lost = before.durable.filter((event) => !isKept(fresh.state.sessions[sessionID], event));
  return { heard: before.durable.length, lost: lost.length, same: same && !back.gap };
}

/** Whether a row that was told is there: with all of its text, for a text may have grown since. */
function isKept(session, { type, properties }) {
  const { info, part } = properties;
  if (type === "message.updated") return session.messages[info.id] !== undefined;
  if (type !== "message.part.updated") return session !== undefined;
  const kept = session.messages[part.messageID]?.parts[part.id];
  if (part.type !== "text") return kept !== undefined;
  return part.time?.end === undefined ? kept?.text.startsWith(part.text) : kept?.text === part.text;
}

const measures = {
  "published durable events that are lost": [],
  "conversations that differ": [],
  "durable events heard before": [],
};
for (let rep = 0; rep < reps; rep += 1) {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-bench-"));
  const { heard, lost, same } = await dieAndComeBack(join(folder, "bench.db"), FIRST_DEATH + FURTHER * rep);
  rmSync(folder, { recursive: true });
  measures["published durable events that are lost"].push(lost);
  measures["conversations that differ"].push(same ? 0 : 1);
  measures["durable events heard before"].push(heard);
}
report(measures);
