import { readFile, stat } from "node:fs/promises";

/** A file's text; null when it is missing, unreadable, too large or not text. */
export async function readText(path: string, maxBytes: number): Promise<string | null> {
  try {
    const info = await stat(path);
    if (!info.isFile() || info.size > maxBytes) return null;
    const text = await readFile(path, "utf8");
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}
