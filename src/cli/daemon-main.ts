import { GatewayError } from "../gateway-error.js";
import type { DaemonMessage } from "./daemon.js";
import { serve } from "./serve.js";
import type { ServeOptions } from "./serve-options.js";
import { stateFolder } from "./state-folder.js";
import { UsageError } from "./usage-error.js";

/** The gateway of `serve --daemon`. Argument: the options as JSON, whose paths are absolute. */
const options = JSON.parse(process.argv[2] ?? "{}") as ServeOptions;

process.chdir(stateFolder());
// There is no terminal that could be closed, and nothing to be read anew.
process.on("SIGHUP", () => {});
// Whoever started it is gone, and will never know that it serves.
const giveUp = () => process.kill(process.pid, "SIGTERM");
process.once("disconnect", giveUp);
if (!process.connected) giveUp();

try {
  await serve(options, (record) => void tell({ type: "serving", record }));
} catch (error) {
  process.stderr.write(`agentwire: ${(error as Error).message}\n`);
  process.exitCode = 1;
  await tell(describe(error));
}

/** Says the one thing there is to say. */
async function tell(message: DaemonMessage): Promise<void> {
  if (!process.connected) return;
  process.off("disconnect", giveUp);
  await new Promise((resolve) => process.send?.(message, resolve));
  process.disconnect();
}

function describe(thrown: unknown): DaemonMessage {
  if (thrown instanceof UsageError) return { type: "misused", message: thrown.message };
  const { kind, message, detail } = GatewayError.from(thrown);
  const { field, hint } = detail;
  return { type: "failed", error: { kind, message, detail: { ...(field && { field }), ...(hint && { hint }) } } };
}
