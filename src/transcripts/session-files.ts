import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import type { AnyTranscriptReader, TranscriptFile } from "../../adapters/index.js";
import { GatewayError } from "../gateway-error.js";

/** A file of a transcript and what it is. */
export interface LocatedFile extends TranscriptFile {
  readonly path: string;
}

/** The file that a session's transcript begins with, and the folder beside it that holds its others. */
export interface SessionFiles {
  readonly nativeID: string;
  readonly main: LocatedFile;
  readonly folder: string;
}

/** The sessions of a file or of every file below a folder. Throws `not_found` for a path with nothing to read. */
export async function findSessions(reader: AnyTranscriptReader, path: string): Promise<SessionFiles[]> {
  const info = await stat(path).catch(() => undefined);
  if (!info) throw new GatewayError("not_found", `there is no file or folder ${path}`);
  const paths = info.isDirectory() ? await listFiles(path) : [path];
  const sessions = paths.flatMap((file) => sessionAt(reader, info.isDirectory() ? path : dirname(path), file) ?? []);
  if (sessions.length === 0) throw new GatewayError("not_found", `there is no transcript of a session at ${path}`);
  return sessions;
}

function sessionAt(reader: AnyTranscriptReader, root: string, path: string): SessionFiles | undefined {
  const file = reader.fileOf(relative(root, path).split(sep));
  if (file?.thread !== "" || file.kind !== "lines") return undefined;
  return sessionOf(reader, { ...file, path });
}

export function sessionOf(reader: AnyTranscriptReader, main: LocatedFile): SessionFiles {
  return { nativeID: main.nativeID, main, folder: main.path.slice(0, -reader.fileSuffix.length) };
}

/** The files beside a session's own: those of its subagents. They may appear at any time. */
export async function otherFiles(reader: AnyTranscriptReader, { folder }: SessionFiles): Promise<LocatedFile[]> {
  const paths = await listFiles(folder);
  return paths.flatMap((path) => {
    const file = reader.fileOf([basename(folder), ...relative(folder, path).split(sep)]);
    return file && file.thread !== "" ? [{ ...file, path }] : [];
  });
}

/** Every file below a folder, in an order that does not depend on the machine; none where there is no such folder. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.sort((a, b) => (a < b ? -1 : 1));
}
