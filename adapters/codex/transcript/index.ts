import { isRecord } from "../../shared/is-record.js";
import type { TranscriptReader } from "../../transcript-reader.js";
import { Arranger, type RolloutFrame } from "./arrange.js";
import { HeadReader, pastOf, seedOf } from "./head.js";
import { fileOf, folderOf, rolloutFolder } from "./layout.js";
import { lineKind, readLine } from "./line.js";
import { init, step } from "./reader.js";
import type { ReaderState } from "./state.js";

/** What Codex itself writes of its threads, below `~/.codex/sessions`. */
export const codexRollouts: TranscriptReader<ReaderState, RolloutFrame> = {
  dialect: "codex-rollout",
  folder: rolloutFolder,
  readsFirstLine: true,
  fileOf,
  folderOf,
  timeOf: (raw) => (isRecord(raw) && typeof raw.timestamp === "string" ? raw.timestamp : undefined),
  kindOf: lineKind,
  parse: readLine,
  headReader: () => new HeadReader(),
  seedOf,
  arranger: () => new Arranger(),
  pastOf,
  init,
  step,
};
