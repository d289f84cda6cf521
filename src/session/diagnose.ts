import type { Session, SessionDiagnostics } from "../../schemas/index.js";
import type { Checkpoint } from "../store/store.js";
import { defined } from "./defined.js";
import type { Diagnostics } from "./diagnostics.js";
import type { LiveSession } from "./live-session.js";
import { countWork, type PendingWork } from "./pending-work.js";

/** What is known of a root session beside its events; of one that this gateway has not used, only what is stored. */
export function diagnose(
  { id: sessionID, agent }: Session,
  live: LiveSession | undefined,
  checkpoint: Checkpoint | undefined,
): SessionDiagnostics {
  const { processes, waiting } = live ?? storedWork(checkpoint);
  const notes = live ? notesOf(live.diagnostics) : NO_NOTES;
  return { sessionID, agent, atWork: live !== undefined, processes, waiting, ...notes };
}

const NO_NOTES = { frames: 0, unknownFrames: {}, noise: { count: 0, lines: [] }, faults: 0, stalls: 0 };

function notesOf({ frames, faults, stalls, unknownKinds, noiseCount, noiseLines, ...rest }: Diagnostics) {
  const { process, lastExit, lastFrameAt } = rest;
  return {
    frames,
    unknownFrames: Object.fromEntries(unknownKinds),
    noise: { count: noiseCount, lines: [...noiseLines] },
    faults,
    stalls,
    ...defined({ process, lastExit, lastFrameAt }),
  };
}

function storedWork(checkpoint: Checkpoint | undefined) {
  const pending = (checkpoint?.pending ?? undefined) as PendingWork | undefined;
  return { processes: checkpoint?.epoch ?? 0, waiting: { inputs: 0, ...countWork(pending) } };
}
