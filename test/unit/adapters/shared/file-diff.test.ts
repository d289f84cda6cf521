import { applyPatch } from "diff";
import { describe, expect, test } from "vitest";
import { diffFile, diffFromHunks } from "../../../../adapters/shared/file-diff.js";

const many = (length: number, name: string) => Array.from({ length }, (_, i) => `${name} ${i}`).join("\n");

const CASES: readonly (readonly [string, string | null, string, number, number])[] = [
  ["a new file", null, "a\nb\n", 2, 0],
  ["a new empty file", null, "", 0, 0],
  ["an edit in the middle", "a\nb\nc\n", "a\nB\nc\n", 1, 1],
  ["no newline at the end, before", "a\nb", "a\nb\n", 1, 1],
  ["no newline at the end, after", "a\n", "a\nb", 1, 0],
  ["no newline at the end, both", "a\nb", "a\nc", 1, 1],
  ["CRLF lines", "a\r\nb\r\n", "a\r\nc\r\n", 1, 1],
  ["a file that becomes empty", "a\n", "", 0, 1],
  ["nothing", "a\n", "a\n", 0, 0],
  ["lines that look like signs", "-a\n+b\n", "-a\n-b\n", 1, 1],
  ["more edits than are looked for", `${many(1500, "old")}\n`, `${many(1600, "new")}\n`, 1600, 1500],
  ["a new file of more lines than are looked for", null, many(2500, "new"), 2500, 0],
  ["the same without a newline at the end", many(1500, "old"), `${many(1600, "new")}\n`, 1600, 1500],
  ["the same that loses its newline", `${many(1500, "old")}\n`, many(1600, "new"), 1600, 1500],
];

describe("diffFile", () => {
  test.each(CASES)("%s: the patch turns the one into the other", (_, before, after, additions, deletions) => {
    const diff = diffFile("dir/file.txt", before, after);
    expect(diff).toMatchObject({ file: "dir/file.txt", additions, deletions });
    expect(diff.status).toBe(before === null ? "added" : "modified");
    expect(applyPatch(before ?? "", diff.patch)).toBe(after);
  });

  test("the patch names the file and nothing of this machine or time", () => {
    expect(diffFile("f.txt", "a\n", "b\n").patch).toBe("--- f.txt\n+++ f.txt\n@@ -1,1 +1,1 @@\n-a\n+b\n");
  });
});

describe("diffFromHunks", () => {
  test("counts the lines of every hunk", () => {
    const hunk = (oldStart: number) => ({
      oldStart,
      oldLines: 2,
      newStart: oldStart,
      newLines: 2,
      lines: [" same", "-old", "+new"],
    });
    expect(diffFromHunks("f", [hunk(1), hunk(9)], "modified")).toMatchObject({ additions: 2, deletions: 2 });
  });

  test("no hunks are no change", () => {
    expect(diffFromHunks("f", [], "modified")).toMatchObject({ additions: 0, deletions: 0, status: "modified" });
  });
});
