import type { Session } from "../../schemas/index.js";
import { createTranscript, type Draft, type Transcript } from "./transcript.js";

export interface ChildSession {
  readonly sessionID: string;
  readonly title: string;
  /** What the agent calls it. */
  readonly native: Record<string, unknown>;
}

/** Announces the session of a subagent, which begins as its parent is set up, and gives its transcript. */
export function openChildSession(draft: Draft, parent: Session, child: ChildSession): Transcript {
  const { transcript, created } = createTranscript({
    at: draft.at,
    sessionID: child.sessionID,
    idSeed: child.sessionID.slice("ses_".length),
    agent: parent.agent,
    directory: parent.directory,
    projectID: parent.projectID,
    title: child.title,
    mode: parent.mode,
    parentID: parent.id,
    ...(parent.model !== undefined && { model: parent.model }),
    metadata: { native: child.native },
  });
  draft.outputs.push(created);
  return transcript;
}
