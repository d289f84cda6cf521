// A burst to two clients that read all they get and to one that reads 400 kB/s: each must end with the text that the agent wrote.
import { textOfTurn } from "./claude-lines.mjs";
import { hashOf } from "./client-readers.mjs";
import { openGatewayPath } from "./gateway-path.mjs";
import { report, reps } from "./report.mjs";

const DELTAS = [10_000, 100_000];
const LENGTH = 30;
const BYTES_PER_SECOND = 400_000;

/** What each of the three clients saw. */
async function play(turn) {
  const path = await openGatewayPath();
  const prepared = path.idle();
  void path.prompt({ prepare: turn });
  await prepared;
  const reader = { apart: true, read: "texts", characters: turn.deltas * turn.length, subscribe: path.whole };
  const clients = [
    await path.connect({ ...reader, count: 2 }),
    await path.connect({ ...reader, bytesPerSecond: BYTES_PER_SECOND }),
  ];
  const over = Promise.all(clients.map((each) => each.turn()));
  void path.prompt({ play: {} });
  const seen = (await over).flat();
  await Promise.all(clients.map((each) => each.close()));
  await path.close();
  return seen;
}

const measures = { "order inversions": [] };
for (const deltas of DELTAS) {
  const turn = { deltas, length: LENGTH, perResponse: 1000 };
  // The agent said that it was ready before.
  const sent = hashOf(`ready${textOfTurn(turn)}`);
  const different = [];
  for (let rep = 0; rep < reps; rep += 1) {
    const seen = await play(turn);
    different.push(seen.filter(({ text }) => text !== sent).length);
    measures["order inversions"].push(seen.reduce((sum, { inversions }) => sum + inversions, 0));
  }
  measures[`${deltas.toLocaleString("en")} deltas: texts that differ`] = different;
}
report(measures);
