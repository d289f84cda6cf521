import { z } from "zod";
import { BlobRefs } from "./blob-ref.js";
import { partBase } from "./part-base.js";

const textRange = z.strictObject({ value: z.string(), start: z.number().int(), end: z.number().int() });

/** Where a file part came from: a file, a symbol in one, or a resource of a server. */
export const FilePartSource = z.discriminatedUnion("type", [
  z.object({ type: z.literal("file"), path: z.string(), text: textRange.optional() }),
  z.object({
    type: z.literal("symbol"),
    path: z.string(),
    name: z.string(),
    kind: z.number().int(),
    text: textRange.optional(),
  }),
  z.object({ type: z.literal("resource"), clientName: z.string(), uri: z.string(), text: textRange.optional() }),
]);
export type FilePartSource = z.infer<typeof FilePartSource>;

/** A file: `url` is a `data:` URL, a `file:` URL, or `blob:` and the reference of what is kept apart. */
export const FilePart = z.object({
  ...partBase,
  type: z.literal("file"),
  mime: z.string(),
  filename: z.string().optional(),
  url: z.string(),
  source: FilePartSource.optional(),
  blobs: BlobRefs.optional(),
});
export type FilePart = z.infer<typeof FilePart>;
