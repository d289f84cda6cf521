import { z } from "zod";
import { SessionID } from "./ids.js";

const count = z.number().int().nonnegative();

/**
 * What is known of a session's agent beside what it says on the wire, for whoever looks into a problem. Counts begin when
 * this gateway began to work on the session; all are 0 before. Texts of the agent are without what looks like a secret.
 */
export const SessionDiagnostics = z.object({
  /** The root session: that of a subagent has no process of its own. */
  sessionID: SessionID,
  agent: z.string(),
  /** Whether this gateway has worked on it. */
  atWork: z.boolean(),
  /** The process that runs now. `since`: its start, or when this gateway went on with one that an earlier one started, whose
   * program is not known. */
  process: z.object({ pid: z.number().int().optional(), program: z.string().optional(), since: z.number() }).optional(),
  /** How many processes the session had so far, under all gateways. */
  processes: count,
  /** How the last one ended: `error` tells why it was not started, or why the gateway ended it. */
  lastExit: z
    .object({
      at: z.number(),
      code: z.number().int().nullable(),
      signal: z.string().nullable(),
      error: z.string().optional(),
      /** The end of what it wrote to standard error. */
      stderr: z.string(),
    })
    .optional(),
  frames: count,
  lastFrameAt: z.number().optional(),
  /** Frames of kinds that the adapter does not know, by kind. */
  unknownFrames: z.record(z.string(), count),
  /** What it wrote to standard output that is no frame, and what of its frames was broken. */
  noise: z.object({ count, lines: z.array(z.string()) }),
  /** Frames that were cut or too long. */
  faults: count,
  /** How often it was silent for so long that the session was marked as stalled. */
  stalls: count,
  /** What waits: to be taken in, to be done by the agent's process, for its time, and for a file. */
  waiting: z.object({ inputs: count, effects: count, timers: count, reads: count }),
});
export type SessionDiagnostics = z.infer<typeof SessionDiagnostics>;
