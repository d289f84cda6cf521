import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";

/** A disk that is away may not answer at all, and the session waits. */
const READ_MS = 10_000;

/** A file's text; null when it is missing, unreadable, too large, not text, or not read in time. */
export async function readText(path: string, maxBytes: number): Promise<string | null> {
  const late = AbortSignal.timeout(READ_MS);
  return Promise.race([read(path, maxBytes, late), once(late, "abort").then(() => null)]);
}

async function read(path: string, maxBytes: number, signal: AbortSignal): Promise<string | null> {
  try {
    const info = await stat(path);
    if (!info.isFile() || info.size > maxBytes) return null;
    const text = await readFile(path, { encoding: "utf8", signal });
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}
