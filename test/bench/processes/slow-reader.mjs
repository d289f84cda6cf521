// A client that reads 400 kB/s beside one that reads all it gets.
import { openGatewayPath } from "./gateway-path.mjs";
import { report, reps } from "./report.mjs";

const MB = 1_000_000;
const TURN = { deltas: 400_000, length: 30, perResponse: 1000 };
const BYTES_PER_SECOND = 400_000;

/** One turn with a fast client and perhaps a slow one: how long the fast one took, and what was pending for the slow one. */
async function play(withSlow) {
  const path = await openGatewayPath();
  const prepared = path.idle();
  void path.prompt({ prepare: TURN });
  await prepared;
  const reader = { apart: true, read: "texts", characters: TURN.deltas * TURN.length, subscribe: path.whole };
  const fast = await path.connect(reader);
  const slow = withSlow ? await path.connect({ ...reader, bytesPerSecond: BYTES_PER_SECOND }) : undefined;
  const [fastOver, slowOver] = [fast.turn(), slow?.turn()];
  const pending = watchPending(path.server);
  const start = performance.now();
  void path.prompt({ play: {} });
  const [fastSaw] = await fastOver;
  const wall = performance.now() - start;
  const [slowSaw] = (await slowOver) ?? [fastSaw];
  await Promise.all([fast.close(), slow?.close()]);
  await path.close();
  return { wall, pending: pending(), same: fastSaw.text === slowSaw.text };
}

/** Looks every millisecond how much waits for any client; tells the most that there was, in MB. */
function watchPending(server) {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, ...server.clients.map(({ pendingBytes }) => pendingBytes));
  }, 1);
  return () => {
    clearInterval(timer);
    return most / MB;
  };
}

const [ratios, pending, different] = [[], [], []];
for (let rep = 0; rep < reps; rep += 1) {
  const alone = await play(false);
  const beside = await play(true);
  ratios.push(beside.wall / alone.wall);
  pending.push(beside.pending);
  different.push(beside.same ? 0 : 1);
}
report({ "other client's time": ratios, "pending, MB": pending, "texts that differ": different });
