import { FileDiff, type FilePart, FilePartSource } from "../../schemas/index.js";
import { relativePath } from "../shared/relative-path.js";
import type { NativeDiff, NativeFile } from "./frame.js";

const FileStatus = FileDiff.shape.status;

export function diffsOf(diffs: readonly NativeDiff[], directory: string): FileDiff[] {
  return diffs.flatMap(({ file, patch = "", additions, deletions, status }) => {
    if (file === undefined) return [];
    const known = FileStatus.safeParse(status).data;
    return [{ file: relativePath(file, directory), patch, additions, deletions, ...(known && { status: known }) }];
  });
}

export function fileOf({ mime, url, filename, source }: NativeFile): Omit<FilePart, "id" | "sessionID" | "messageID"> {
  const known = FilePartSource.safeParse(source);
  return {
    type: "file",
    mime,
    url,
    ...(filename != null && { filename }),
    ...(known.success && { source: known.data }),
  };
}

/** A path as seen from the project: the server tells some from the root of the repository, which may be that of the disk. */
export function shownPath(path: string, directory: string): string {
  const unrooted = `${directory.replace(/^\/+/, "")}/`;
  return path.startsWith(unrooted) ? path.slice(unrooted.length) : relativePath(path, directory);
}
