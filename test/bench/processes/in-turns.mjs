import { measureTurn } from "./measure-turn.mjs";

/**
 * Measures a turn on each of several paths, by turns, in one process. Gives `reps` measurements of each path; the first turn of
 * each is not counted, as the code is still cold. A `prepare` is played once before.
 */
export async function inTurns({ paths: opening, clients: options, prepare, plan, reps }) {
  const paths = await Promise.all(opening);
  const clients = await Promise.all(paths.map((path) => path.connect(options)));
  const measure = (index, what) => measureTurn(paths[index], clients[index], what);
  const order = paths.map((_, index) => index);
  if (prepare) for (const index of order) await measure(index, { prepare });
  const turns = paths.map(() => []);
  for (let rep = 0; rep <= reps; rep += 1) {
    for (const index of rep % 2 === 0 ? order : order.toReversed()) turns[index].push(await measure(index, plan));
  }
  await Promise.all(clients.map((each) => each.close()));
  await Promise.all(paths.map((path) => path.close()));
  return turns.map((list) => list.slice(1));
}
