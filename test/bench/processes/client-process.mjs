import { openClients } from "./clients.mjs";

process.on("disconnect", () => process.exit(0));
const clients = await openClients(JSON.parse(process.argv[2]));
process.send("ready");
for (;;) process.send(await clients.turn(), () => {});
