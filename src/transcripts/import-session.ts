import type { AnyAdapter, AnyTranscriptReader } from "../../adapters/index.js";
import { GatewayError } from "../gateway-error.js";
import type { Store } from "../store/store.js";
import { readSession } from "./read-session.js";
import type { SessionFiles } from "./session-files.js";
import { isContinued, seedWith, sessionDriving, settled } from "./stored-session.js";
import { TranscriptPlayer } from "./transcript-player.js";

/** `continued`: the gateway has gone on with it, and the transcript says the same again. `empty`: it holds nothing. */
export type ImportOutcome =
  | { readonly kind: "imported" | "unchanged" | "continued"; readonly sessionID: string }
  | { readonly kind: "empty" };

/** What the gateway needs to go on with sessions that it did not begin. */
export interface TranscriptAgent {
  readonly adapter: AnyAdapter;
  readonly reader: AnyTranscriptReader;
  readonly adopt: NonNullable<AnyAdapter["adopt"]>;
}

/** Throws `not_supported` for an agent whose transcripts cannot be read. */
export function transcriptAgent(adapter: AnyAdapter): TranscriptAgent {
  const { transcripts: reader, adopt } = adapter;
  if (reader && adopt) return { adapter, reader, adopt };
  throw new GatewayError("not_supported", `the sessions that ${adapter.name} keeps cannot be read`);
}

/** Stores a session as its transcript tells it, with the checkpoint from which the next prompt goes on. */
export async function importSession(store: Store, agent: TranscriptAgent, files: SessionFiles): Promise<ImportOutcome> {
  const { adapter, reader, adopt } = agent;
  const { head, arranger } = await readSession(reader, files);
  if (!head || head.messages === 0) return { kind: "empty" };
  const fresh = reader.seedOf(head, adapter.id);
  const driving = sessionDriving(store, adapter.id, files.nativeID);
  if (driving && driving.id !== fresh.sessionID) return { kind: "continued", sessionID: driving.id };
  const { sessionID } = fresh;
  const seed = seedWith(fresh, store.session(sessionID), head);
  const player = new TranscriptPlayer(reader, seed, { folder: files.folder });
  const events = settled([...player.start(), ...player.play(arranger.all()), ...player.end()]);
  if (isContinued(store, sessionID, events)) return { kind: "continued", sessionID };
  const before = store.cursor;
  store.write({ sessionID, events, checkpoint: { state: adopt(seed, player.past), epoch: 0, seq: 0 } });
  store.flush();
  return { kind: store.cursor === before ? "unchanged" : "imported", sessionID };
}
