import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import type { AnyTranscriptReader, TranscriptFile } from "../../adapters/index.js";
import { GatewayError } from "../gateway-error.js";
import { parseJson } from "../parse-json.js";

/** A file of a transcript and what it is. */
export interface LocatedFile extends TranscriptFile {
  readonly path: string;
}

/** The file that a session's transcript begins with, and the folder that holds its others. */
export interface SessionFiles {
  readonly nativeID: string;
  readonly main: LocatedFile;
  readonly folder: string;
  /** What is known of files by their first line, which never changes. */
  readonly known: KnownFiles;
}

/** The first bytes of a file, which another one goes on from. */
export interface BaseFile {
  readonly file: LocatedFile;
  readonly bytes: number;
}

type KnownFiles = Map<string, TranscriptFile>;

/** A first line may hold all that the model was told to be. */
const MAX_FIRST_LINE_BYTES = 4 * 1024 * 1024;

/** The sessions of a file or of every file below a folder. Throws `not_found` for a path with nothing to read. */
export async function findSessions(reader: AnyTranscriptReader, path: string): Promise<SessionFiles[]> {
  const info = await stat(path).catch(() => undefined);
  if (!info) throw new GatewayError("not_found", `there is no file or folder ${path}`);
  const root = info.isDirectory() ? path : dirname(path);
  const paths = info.isDirectory() ? await listFiles(path) : [path];
  const known: KnownFiles = new Map();
  const files = await locate(reader, paths, known, (file) => relative(root, file).split(sep));
  const sessions = ownFiles(files).map((main) => sessionOf(reader, main, known));
  if (sessions.length === 0) throw new GatewayError("not_found", `there is no transcript of a session at ${path}`);
  return sessions;
}

function sessionOf(reader: AnyTranscriptReader, main: LocatedFile, known: KnownFiles): SessionFiles {
  return { nativeID: main.nativeID, main, folder: reader.folderOf(main.path), known };
}

/** The sessions' own files. Of one that was begun anew from a part of itself, the newest. */
function ownFiles(files: readonly LocatedFile[]): LocatedFile[] {
  const own = files.filter(({ thread, kind }) => thread === "" && kind === "lines");
  const rewritten = new Map<string, LocatedFile>();
  for (const file of own) {
    const base = own.find(({ name }) => name !== undefined && name === file.base?.name);
    if (base?.nativeID === file.nativeID) rewritten.set(file.nativeID, file);
  }
  return own.filter((file) => (rewritten.get(file.nativeID) ?? file) === file);
}

/** The files beside a session's own: those of its subagents. They may appear at any time. */
export async function otherFiles(reader: AnyTranscriptReader, files: SessionFiles): Promise<LocatedFile[]> {
  const found = await filesBeside(reader, files);
  return found.filter(({ nativeID, thread }) => nativeID === files.nativeID && thread !== "");
}

/** The files that a session's own goes on from, the oldest first; those that are not there are left out. */
export async function baseFiles(reader: AnyTranscriptReader, files: SessionFiles): Promise<BaseFile[]> {
  const bases: BaseFile[] = [];
  const beside = files.main.base ? await filesBeside(reader, files) : [];
  for (let next = files.main.base; next; ) {
    const { name, bytes } = next;
    const file = beside.find((other) => other.name === name && other.kind === "lines");
    if (!file || bases.some((base) => base.file === file)) break;
    bases.unshift({ file, bytes });
    next = file.base;
  }
  return bases;
}

async function filesBeside(reader: AnyTranscriptReader, { folder, known }: SessionFiles): Promise<LocatedFile[]> {
  const paths = await listFiles(folder);
  return locate(reader, paths, known, (path) => [basename(folder), ...relative(folder, path).split(sep)]);
}

async function locate(
  reader: AnyTranscriptReader,
  paths: readonly string[],
  known: KnownFiles,
  segmentsOf: (path: string) => string[],
): Promise<LocatedFile[]> {
  const located: LocatedFile[] = [];
  for (const path of paths) {
    const first = reader.readsFirstLine && !known.has(path) ? parseJson(await readFirstLine(path)) : undefined;
    const file = known.get(path) ?? reader.fileOf(segmentsOf(path), first);
    if (!file) continue;
    known.set(path, file);
    located.push({ ...file, path });
  }
  return located;
}

/** Empty for a file that cannot be read; a line without its end is being written. */
async function readFirstLine(path: string): Promise<string> {
  let text = Buffer.alloc(0);
  try {
    for await (const chunk of createReadStream(path, { end: MAX_FIRST_LINE_BYTES })) {
      const end = (chunk as Buffer).indexOf("\n");
      text = Buffer.concat([text, end < 0 ? (chunk as Buffer) : (chunk as Buffer).subarray(0, end)]);
      if (end >= 0) break;
    }
  } catch {
    return "";
  }
  return text.toString("utf8");
}

/** Every file below a folder, in an order that does not depend on the machine; none where there is no such folder. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.sort((a, b) => (a < b ? -1 : 1));
}
