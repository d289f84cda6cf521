// A gateway that can be killed: {db, agent?} as JSON. With an agent it makes a session, and prompts it with what it is sent.
import { dirname } from "node:path";
import { openBenchGateway } from "./bench-gateway.mjs";

const { db, agent } = JSON.parse(process.argv[2]);
const { open, server } = await openBenchGateway(db);
const start = open.store.cursor;
const ready = { url: server.websocketURL, start };
if (agent) {
  const { session } = await open.gateway.handle("session.create", { agent, directory: dirname(db) });
  ready.sessionID = session.id;
  process.on("message", (plan) => {
    const parts = [{ type: "text", text: JSON.stringify(plan) }];
    void open.gateway.handle("session.prompt", { sessionID: session.id, parts });
  });
}
process.on("disconnect", async () => {
  await server.close();
  await open.close();
});
process.send(ready);
