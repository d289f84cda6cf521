import { parsePatch } from "diff";
import type { FileDiff } from "../../schemas/index.js";
import { diffFile, diffFromHunks } from "../shared/file-diff.js";
import { relativePath } from "../shared/relative-path.js";
import type { FileUpdateChange } from "./frame.js";

const MOVED = /\n*Moved to: [^\n]*\n?$/;

/** One file of a patch: for a new or deleted one the app-server sends the content, for a changed one its hunks. */
export function diffOfChange(change: FileUpdateChange, directory: string): FileDiff {
  const file = relativePath(change.path, directory);
  if (change.kind.type === "add") return diffFile(file, null, change.diff);
  if (change.kind.type === "delete") return { ...diffFile(file, change.diff, ""), status: "deleted" };
  return diffFromHunks(newPath(change, directory), hunksOf(change.diff.replace(MOVED, "\n")), "modified");
}

function newPath({ path, kind }: FileUpdateChange, directory: string): string {
  return relativePath(kind.move_path ?? path, directory);
}

function hunksOf(diff: string) {
  try {
    return parsePatch(diff).flatMap(({ hunks }) => hunks);
  } catch {
    return [];
  }
}

export interface ChangeSummary {
  readonly diff: string;
  readonly files: readonly Record<string, unknown>[];
}

/** What a person needs to decide about a patch, and what the tool part keeps of it. */
export function summarizeChanges(changes: readonly FileUpdateChange[], directory: string): ChangeSummary {
  const files = changes.map((change) => {
    const { patch, additions, deletions } = diffOfChange(change, directory);
    const moved = change.kind.move_path ? { movePath: relativePath(change.kind.move_path, directory) } : {};
    return {
      relativePath: relativePath(change.path, directory),
      type: change.kind.type,
      patch,
      additions,
      deletions,
      ...moved,
    };
  });
  return { diff: files.map(({ patch }) => patch).join(""), files };
}

/** The files of a git-style diff of a whole turn. */
export function diffsOfTurn(diff: string, directory: string): FileDiff[] {
  return diff
    .split(/^(?=diff --git )/m)
    .filter((section) => section.startsWith("diff --git "))
    .map((section) => diffOfSection(section, directory));
}

function diffOfSection(section: string, directory: string): FileDiff {
  const file =
    /^\+\+\+ b\/(.*)$/m.exec(section)?.[1] ??
    /^--- a\/(.*)$/m.exec(section)?.[1] ??
    /^diff --git a\/(.*?) b\//.exec(section)?.[1];
  const status = /^new file mode/m.test(section)
    ? "added"
    : /^deleted file mode/m.test(section)
      ? "deleted"
      : "modified";
  return diffFromHunks(withinProject(file ?? "", directory), hunksOf(section), status);
}

/** The paths are those of the repository: `packages/a/x.txt` for a session that works in `packages/a` of it. */
function withinProject(file: string, directory: string): string {
  const folders = file.split("/");
  for (let i = folders.length - 1; i > 0; i--) {
    if (directory.endsWith(`/${folders.slice(0, i).join("/")}`)) return folders.slice(i).join("/");
  }
  return file;
}
