import type { FilePart } from "../../schemas/index.js";
import { isRecord } from "../shared/is-record.js";
import type { FieldPath } from "./profile.js";

export type FileContent = Pick<FilePart, "type" | "mime" | "url"> & Partial<Pick<FilePart, "filename" | "source">>;

/** The text of a content block; undefined for one that is no text. */
export function textOf(content: unknown): string | undefined {
  return isRecord(content) && content.type === "text" && typeof content.text === "string" ? content.text : undefined;
}

/** A picture, a sound, a resource or a link, as a file part. */
export function fileOf(content: unknown): FileContent | undefined {
  if (!isRecord(content)) return undefined;
  switch (content.type) {
    case "image":
    case "audio":
      return mediaOf(content);
    case "resource_link":
      return typeof content.uri === "string" ? linkOf(content, content.uri) : undefined;
    case "resource":
      return isRecord(content.resource) ? resourceOf(content.resource) : undefined;
    default:
      return undefined;
  }
}

function mediaOf({ type, mimeType, data, uri }: Record<string, unknown>): FileContent | undefined {
  const mime = typeof mimeType === "string" ? mimeType : `${String(type)}/*`;
  if (typeof data === "string" && data !== "") return { type: "file", mime, url: `data:${mime};base64,${data}` };
  return typeof uri === "string" ? { type: "file", mime, url: uri } : undefined;
}

function linkOf({ mimeType, name }: Record<string, unknown>, url: string): FileContent {
  const mime = typeof mimeType === "string" ? mimeType : "application/octet-stream";
  return { type: "file", mime, url, ...(typeof name === "string" && { filename: name }) };
}

/** The text of a resource stands in its source, beside the name it has with the agent. */
function resourceOf({ uri, mimeType, text, blob }: Record<string, unknown>): FileContent | undefined {
  if (typeof uri !== "string") return undefined;
  const mime =
    typeof mimeType === "string" ? mimeType : typeof text === "string" ? "text/plain" : "application/octet-stream";
  if (typeof blob === "string") return { type: "file", mime, url: `data:${mime};base64,${blob}`, filename: uri };
  const value = typeof text === "string" ? text : "";
  const range = { value, start: 0, end: value.length };
  return { type: "file", mime, url: uri, source: { type: "resource", clientName: "agent", uri, text: range } };
}

/** The texts of a list of content blocks, or of a tool's content, which wraps them. */
export function textsOf(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item): string[] => {
    const block = isRecord(item) && item.type === "content" ? item.content : item;
    const text = textOf(block) ?? resourceText(block);
    return text === undefined ? [] : [text];
  });
}

function resourceText(block: unknown): string | undefined {
  if (!isRecord(block) || block.type !== "resource" || !isRecord(block.resource)) return undefined;
  return typeof block.resource.text === "string" ? block.resource.text : undefined;
}

/** The pictures, sounds and links of a tool's content. */
export function filesOf(list: readonly unknown[]): FileContent[] {
  return list.flatMap((item) => {
    const file = isRecord(item) && item.type === "content" ? fileOf(item.content) : undefined;
    return file && file.source === undefined ? [file] : [];
  });
}

/** What stands at a path of a value. */
export function at(value: unknown, path: FieldPath): unknown {
  const names = typeof path === "string" ? path.split(".") : path;
  return names.reduce<unknown>((inner, name) => {
    if (Array.isArray(inner)) return inner[Number(name)];
    return isRecord(inner) ? inner[name] : undefined;
  }, value);
}
