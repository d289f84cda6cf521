import { openGatewayPath } from "./gateway-path.mjs";
import { measureTurn } from "./measure-turn.mjs";
import { openRawPath } from "./raw-path.mjs";

/**
 * Measures a turn on the raw path (the floor) and on the gateway (the subject), by turns, in one process. `reps` lists of
 * each; the first turn of each is not counted, as the code is still cold. A `prepare` is played once before.
 */
export async function sideBySide({ clients: options, prepare, plan, reps }) {
  const paths = [await openRawPath(), await openGatewayPath()];
  const clients = await Promise.all(paths.map((path) => path.connect(options)));
  const measure = (index, what) => measureTurn(paths[index], clients[index], what);
  if (prepare) for (const index of [0, 1]) await measure(index, { prepare });
  const turns = [[], []];
  for (let rep = 0; rep <= reps; rep += 1) {
    for (const index of rep % 2 === 0 ? [0, 1] : [1, 0]) turns[index].push(await measure(index, plan));
  }
  await Promise.all(clients.map((each) => each.close()));
  await Promise.all(paths.map((path) => path.close()));
  const [floor, subject] = turns.map((list) => list.slice(1));
  return { floor, subject };
}
