import { z } from "zod";

/**
 * A value that was too large for its part and is kept apart, once for all that say the same. `bytes` is its whole size,
 * `mime` what it is; `blob.get` gives it back.
 */
export const BlobRef = z.object({
  ref: z.string().regex(/^sha256-[0-9a-f]{64}$/),
  bytes: z.number().int().nonnegative(),
  mime: z.string(),
});
export type BlobRef = z.infer<typeof BlobRef>;

/**
 * The values of a part that are kept apart, by their JSON Pointer (RFC 6901) within the part, such as `/state/output`.
 * In their place stands the beginning of a text, or `blob:` and the reference for a `data:` URL.
 */
export const BlobRefs = z.record(z.string(), BlobRef);
export type BlobRefs = z.infer<typeof BlobRefs>;

/** What the URL of a file begins with whose bytes are kept apart; the reference follows. */
export const BLOB_SCHEME = "blob:";
