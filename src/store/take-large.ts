import { createHash } from "node:crypto";
import { BLOB_SCHEME, type BlobRefs, isFinal, type Part } from "../../schemas/index.js";
import type { Blob } from "./store.js";

export interface Lightened {
  readonly part: Part;
  readonly blobs: readonly Blob[];
}

/** How much of a text stays in its place, so that there is something to show. */
const PREVIEW = 4096;
const DATA_URL = /^data:([^;,]*)(?:;[^,;]+)*;base64,/;

/**
 * A part without its large strings (longer than `large` UTF-16 units), and these. Texts and reasoning stay whole: they are
 * what a conversation is.
 */
export function takeLarge(part: Part, large: number): Lightened {
  if (part.type !== "tool" && part.type !== "file") return { part, blobs: [] };
  const taking = new Taking(large, growingFields(part));
  const light = taking.value(part, "") as typeof part;
  if (taking.blobs.length === 0) return { part, blobs: [] };
  return { part: { ...light, blobs: { ...part.blobs, ...taking.refs } }, blobs: taking.blobs };
}

/** What bytes are called by that are kept apart. */
export function blobRef(data: Buffer): string {
  return `sha256-${createHash("sha256").update(data).digest("hex")}`;
}

/** What deltas append to must stay whole until it is finished: they say where they go by its length. */
function growingFields(part: Part): ReadonlySet<string> {
  return new Set(part.type === "tool" && !isFinal(part.state.status) ? ["/state/raw", "/state/metadata/output"] : []);
}

class Taking {
  readonly blobs: Blob[] = [];
  readonly refs: BlobRefs = {};

  constructor(
    private readonly large: number,
    private readonly kept: ReadonlySet<string>,
  ) {}

  /** The same value where nothing below it is large. */
  value(value: unknown, pointer: string): unknown {
    if (typeof value === "string") return this.#string(value, pointer);
    if (typeof value !== "object" || value === null) return value;
    const changed = Object.entries(value).flatMap(([key, child]) => {
      const light = this.value(child, `${pointer}/${escapeKey(key)}`);
      return light === child ? [] : [[key, light] as const];
    });
    if (changed.length === 0) return value;
    return Object.assign(Array.isArray(value) ? [...value] : { ...value }, Object.fromEntries(changed));
  }

  #string(text: string, pointer: string): string {
    if (text.length <= this.large || this.kept.has(pointer)) return text;
    const [head, mime] = DATA_URL.exec(text) ?? [];
    if (head === undefined) {
      this.#keep(pointer, Buffer.from(text, "utf8"), "text/plain", true);
      return cut(text, PREVIEW);
    }
    return BLOB_SCHEME + this.#keep(pointer, Buffer.from(text.slice(head.length), "base64"), mime ?? "", false);
  }

  #keep(pointer: string, data: Buffer, mime: string, isText: boolean): string {
    const ref = blobRef(data);
    this.blobs.push({ ref, mime, isText, data });
    this.refs[pointer] = { ref, bytes: data.length, mime };
    return ref;
  }
}

/** As RFC 6901 writes a key. */
function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Does not cut a character in two. */
function cut(text: string, length: number): string {
  const end = text.charCodeAt(length - 1);
  return text.slice(0, end >= 0xd800 && end <= 0xdbff ? length - 1 : length);
}
