import type { MessageError } from "../../schemas/index.js";
import type { AgentExit } from "../contract.js";
import { ABORTED, type Ending } from "./end-turn.js";

/** An end in the middle of a turn. `log` is what the agent's stderr has of the reason: a failed launch tells it only there. */
export function exitError(exit: AgentExit, agent: string, log = logOfFailure(exit)): MessageError {
  if (exit.lost)
    return { name: "agent_exited", message: "The gateway was stopped before the turn ended", retryable: true };
  if (exit.error !== undefined) return { name: "agent_exited", message: exit.error, retryable: false };
  const how = exit.signal ? `was ended by ${exit.signal}` : `exited with code ${exit.code}`;
  const reason = log.trim();
  return {
    name: "agent_exited",
    message: `${agent} ${how} before the turn ended${reason && `: ${reason}`}`,
    retryable: exit.signal !== null,
    data: { native: { code: exit.code, signal: exit.signal } },
  };
}

/** Its log is no reason where it was killed, or ended as it was told. */
export function logOfFailure({ code, signal, stderr }: AgentExit): string {
  return code === 0 || signal !== null ? "" : stderr;
}

/** How a turn ends with its agent; without an error the exit was the abort's. */
export function endingOfExit(exit: AgentExit, error: MessageError | undefined): Ending {
  const decidedBy = exit.lost ? "shutdown" : error ? "agent" : "user";
  if (!error) return { ...ABORTED, decidedBy };
  return { finish: "error", error, toolError: error.message, decidedBy };
}
