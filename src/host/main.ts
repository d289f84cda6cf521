import { rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { HostServer } from "./host-server.js";

/**
 * The agent host: a process that starts agents for a gateway and keeps them while gateways come and go.
 * Arguments: the path of its socket, and how long agents are kept without a gateway, in milliseconds.
 */
const [path = "", graceMs = "0"] = process.argv.slice(2);

const host = new HostServer({ graceMs: Number(graceMs), onDone: () => process.exit(0) });
const server = createServer((socket) => host.accept(socket));

// The socket of a host that was killed lies there still. One that lives was started at the same moment: it serves as well.
server.on("error", () => {
  connect(path)
    .on("connect", () => process.exit(0))
    .on("error", () => {
      rmSync(path, { force: true });
      listen();
    });
});

function listen(): void {
  // Whoever can connect can run programs as this user.
  const mask = process.umask(0o177);
  server.listen(path, () => {
    process.umask(mask);
    process.stdout.write("ready\n");
  });
}

// A closed terminal is no reason to end what its gateway started.
process.on("SIGHUP", () => {});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void host.close());
// Nobody reads its output any more once it is ready.
process.stdout.on("error", () => {});
listen();
