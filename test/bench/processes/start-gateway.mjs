import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const PROCESS = fileURLToPath(new URL("gateway-process.mjs", import.meta.url));

/** Starts a gateway in a process of its own, as `gateway-process.mjs` says. */
export async function startGateway(options) {
  const child = fork(PROCESS, [JSON.stringify(options)], { execArgv: [] });
  const [ready] = await once(child, "message");
  return {
    ...ready,
    pid: child.pid,
    prompt: (plan) => child.send(plan),
    kill: () => child.kill("SIGKILL"),
    close: async () => {
      child.disconnect();
      await once(child, "exit");
    },
  };
}
