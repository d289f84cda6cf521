// How long after an agent's death its clients hear of it.
import { openGatewayPath } from "./gateway-path.mjs";
import { report, reps } from "./report.mjs";

const path = await openGatewayPath();
const clients = await path.connect({ apart: true, read: "failure" });
const times = [];
for (let rep = 0; rep < reps; rep += 1) {
  const over = clients.turn();
  void path.prompt({ die: {} });
  const [{ ages }] = await over;
  times.push(ages[0]);
}
await clients.close();
await path.close();
report({ "session.error, ms": times });
