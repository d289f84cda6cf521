import {
  type AnyTranscriptReader,
  LINES_OF_BASE,
  type TranscriptArranger,
  type TranscriptHead,
  type TranscriptLine,
} from "../../adapters/index.js";
import { type BaseFile, baseFiles, otherFiles, type SessionFiles } from "./session-files.js";
import { readAbout, TranscriptLines } from "./transcript-file.js";

export interface ReadSession {
  /** Undefined where the file holds no conversation. */
  readonly head: TranscriptHead | undefined;
  readonly arranger: TranscriptArranger<unknown>;
  readonly badLines: number;
}

/** Reads all there is of a session. */
export async function readSession(reader: AnyTranscriptReader, files: SessionFiles): Promise<ReadSession> {
  const arranger = reader.arranger();
  const head = reader.headReader();
  const bases = await baseFiles(reader, files);
  let badLines = await readBases(reader, bases, arranger);
  const onLine = (line: TranscriptLine) => {
    head.add(line);
    arranger.add(line);
  };
  for (const { path, thread, kind } of [files.main, ...(await otherFiles(reader, files))]) {
    if (kind === "about") {
      const about = await readAbout(path, thread);
      if (about) arranger.add(about);
    } else {
      const lines = new TranscriptLines(reader, thread, onLine, thread === "" ? firstLine(bases) : 0);
      await lines.readMore(path);
      lines.end();
      badLines += lines.badLines;
    }
  }
  return { head: head.head, arranger, badLines };
}

/** The number of the first line of a session's own file. */
export function firstLine(bases: readonly BaseFile[]): number {
  return bases.length * LINES_OF_BASE;
}

/** What a session's own file goes on from. It is history: what is known of the session itself is in its own file. */
export async function readBases(
  reader: AnyTranscriptReader,
  bases: readonly BaseFile[],
  arranger: TranscriptArranger<unknown>,
): Promise<number> {
  let badLines = 0;
  for (const [i, { file, bytes }] of bases.entries()) {
    const lines = new TranscriptLines(reader, "", (line) => arranger.add(line), i * LINES_OF_BASE);
    await lines.readMore(file.path, bytes);
    lines.end();
    badLines += lines.badLines;
  }
  return badLines;
}

/** What is known of a session from its own file alone. */
export async function readHead(reader: AnyTranscriptReader, files: SessionFiles): Promise<TranscriptHead | undefined> {
  const head = reader.headReader();
  const lines = new TranscriptLines(reader, "", (line) => head.add(line));
  await lines.readMore(files.main.path);
  lines.end();
  return head.head;
}
