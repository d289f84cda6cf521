import { rmSync } from "node:fs";
import { createServer } from "node:net";
import { isServed, listenPrivately } from "../private-socket.js";
import { HostServer } from "./host-server.js";

/**
 * The agent host: a process that starts agents for a gateway and keeps them while gateways come and go.
 * Arguments: the path of its socket, and how long agents are kept without a gateway, in milliseconds.
 */
const [path = "", graceMs = "0"] = process.argv.slice(2);

const host = new HostServer({ graceMs: Number(graceMs), onDone: () => process.exit(0) });
const server = createServer((socket) => host.accept(socket));

// A closed terminal is no reason to end what its gateway started.
process.on("SIGHUP", () => {});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void host.close());
// Nobody reads its output any more once it is ready.
process.stdout.on("error", () => {});

try {
  await listenPrivately(server, path);
} catch {
  // One that lives was started at the same moment: it serves as well. That of a host that was killed lies there still.
  if (await isServed(path)) process.exit(0);
  rmSync(path, { force: true });
  await listenPrivately(server, path);
}
process.stdout.write("ready\n");
