import { setTimeout as wait } from "node:timers/promises";
import { GatewayError } from "../gateway-error.js";
import { dismissGateway } from "../host/connect.js";
import { isRunning, type ServerRecord } from "./server-record.js";
import { hostSocketPath } from "./state-folder.js";

export interface StopOptions {
  /** Its agents go on for the gateway that comes next. */
  readonly keepAgents: boolean;
  readonly timeoutMs: number;
}

/** Nobody hears of the end of a process that is not his child: it must be looked at. */
const LOOK_MS = 50;

/** Ends a gateway in good order; resolves when its process is gone, and throws where that takes too long. */
export async function stopGateway(record: ServerRecord, { keepAgents, timeoutMs }: StopOptions): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  if (keepAgents) await leaveAgents(record, timeoutMs);
  else terminate(record.pid);
  while (isRunning(record)) {
    if (Date.now() >= deadline) throw notEnded(record, timeoutMs);
    await wait(LOOK_MS);
  }
}

/** It may have ended since it was looked at. */
function terminate(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ESRCH") return;
    throw new GatewayError("forbidden", `the gateway (process ${pid}) may not be ended by this user`, { cause: error });
  }
}

/** Its agent host tells it to go, as for a successor. */
async function leaveAgents({ pid, db }: ServerRecord, timeoutMs: number): Promise<void> {
  const late = new AbortController();
  const isDismissed = await Promise.race([
    dismissGateway(hostSocketPath(db)),
    wait(timeoutMs, true, { signal: late.signal, ref: false }),
  ]);
  late.abort();
  if (isDismissed) return;
  throw new GatewayError("not_supported", `the gateway (process ${pid}) has no agent host that could keep its agents`, {
    hint: "end it without --keep-agents: its agents end with it",
  });
}

function notEnded({ pid }: ServerRecord, timeoutMs: number): GatewayError {
  return new GatewayError("internal", `the gateway (process ${pid}) has not ended within ${timeoutMs / 1000} s`, {
    hint: 'it may still be ending its agents; "agentwire stop" once more ends it at once',
  });
}
