import type { AnyTranscriptReader, TranscriptArranger, TranscriptHead, TranscriptLine } from "../../adapters/index.js";
import { otherFiles, type SessionFiles } from "./session-files.js";
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
  const onLine = (line: TranscriptLine) => {
    head.add(line);
    arranger.add(line);
  };
  let badLines = 0;
  for (const { path, thread, kind } of [files.main, ...(await otherFiles(reader, files))]) {
    if (kind === "about") {
      const about = await readAbout(path, thread);
      if (about) arranger.add(about);
    } else {
      const lines = new TranscriptLines(reader, thread, onLine);
      await lines.readMore(path);
      lines.end();
      badLines += lines.badLines;
    }
  }
  return { head: head.head, arranger, badLines };
}

/** What is known of a session from its own file alone. */
export async function readHead(reader: AnyTranscriptReader, files: SessionFiles): Promise<TranscriptHead | undefined> {
  const head = reader.headReader();
  const lines = new TranscriptLines(reader, "", (line) => head.add(line));
  await lines.readMore(files.main.path);
  lines.end();
  return head.head;
}
