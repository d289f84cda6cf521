const DATA_URL = /^data:([^;,]+);base64,(.*)$/s;

export interface InlineFile {
  readonly mime: string;
  /** The bytes, in base64. */
  readonly data: string;
}

/** What a `data:` URL in base64 holds; undefined for any other URL. */
export function inlineFile(url: string): InlineFile | undefined {
  const [, mime, data] = DATA_URL.exec(url) ?? [];
  return mime === undefined || data === undefined ? undefined : { mime, data };
}

/** The path that a `file:` URL names; undefined for any other URL. */
export function filePath(url: string): string | undefined {
  const [, path] = /^file:\/\/(?:localhost(?=\/))?(.+)$/s.exec(url) ?? [];
  if (path === undefined) return undefined;
  // A Windows path begins with its drive.
  return decodeURIComponent(path).replace(/^\/(?=[A-Za-z]:)/, "");
}

/** The text that base64 stands for, read as UTF-8. */
export function textOfBase64(data: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(data), (char) => char.charCodeAt(0)));
}

export function base64OfText(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));
}

/** Whether a file of this kind is text that a model can read as it is. */
export function isTextMime(mime: string): boolean {
  return mime.startsWith("text/") || mime === "application/json";
}
