import { isRecord } from "../../shared/is-record.js";
import type { TranscriptReader } from "../../transcript-reader.js";
import { Arranger, type TranscriptFrame } from "./arrange.js";
import { entryKind, readEntry } from "./entry.js";
import { HeadReader, pastOf, seedOf } from "./head.js";
import { fileOf, folderOf, RUNNING, transcriptFolder } from "./layout.js";
import { init, step } from "./reader.js";
import type { ReaderState } from "./state.js";

/** What Claude Code itself writes of its sessions, below `~/.claude/projects`. */
export const claudeTranscripts: TranscriptReader<ReaderState, TranscriptFrame> = {
  dialect: "claude-transcript",
  folder: transcriptFolder,
  readsFirstLine: false,
  fileOf,
  folderOf,
  timeOf: (raw) => (isRecord(raw) && typeof raw.timestamp === "string" ? raw.timestamp : undefined),
  kindOf: entryKind,
  parse: readEntry,
  headReader: () => new HeadReader(),
  seedOf,
  arranger: () => new Arranger(),
  pastOf,
  init,
  step,
  running: RUNNING,
};
