/** Plays a turn and waits until every client has seen its end. `cpu` is that of this process; times are in ms. */
export async function measureTurn(path, clients, plan) {
  const over = clients.turn();
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  void path.prompt(plan);
  const seen = await over;
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { wall, cpu: (user + system) / 1000, seen, bytes: seen[0].bytes };
}
