import { z } from "zod";
import type { FilePart } from "../../schemas/index.js";
import { isRecord } from "../shared/is-record.js";
import { summarizeChanges } from "./file-changes.js";
import type { ThreadItem } from "./frame.js";
import { changesOf } from "./tools.js";

type Attachment = Omit<FilePart, "id" | "sessionID" | "messageID">;

/** How a tool ended: with an output, or with the reason why not. */
export interface ToolEnd {
  readonly error?: string;
  readonly output: string;
  readonly metadata: Record<string, unknown>;
  readonly attachments?: readonly Attachment[];
}

const text = z.string();
const CommandEnd = z.looseObject({ status: text, aggregatedOutput: text.nullish(), exitCode: z.number().nullish() });
const McpEnd = z.looseObject({
  status: text,
  result: z
    .looseObject({ content: z.array(z.unknown()).nullish(), structuredContent: z.unknown().optional() })
    .nullish(),
  error: z.looseObject({ message: text }).nullish(),
});
const DynamicEnd = z.looseObject({ success: z.boolean().nullish(), contentItems: z.array(z.unknown()).nullish() });
const Ended = z.looseObject({ status: text.nullish() });

export const DECLINED = "This was not allowed";

export function endOfTool(item: ThreadItem, directory: string): ToolEnd {
  switch (item.type) {
    case "commandExecution":
      return endOfCommand(item);
    case "fileChange":
      return endOfFileChange(item, directory);
    case "mcpToolCall":
      return endOfMcp(item);
    case "dynamicToolCall":
      return endOfDynamic(item);
    default:
      return endOfOther(item);
  }
}

/** The output is told whole here. What was streamed before lacks the beginning, and its middle when it is long. */
function endOfCommand(item: ThreadItem): ToolEnd {
  const { data } = CommandEnd.safeParse(item);
  const output = data?.aggregatedOutput ?? "";
  const exitCode = data?.exitCode;
  const metadata = { output, ...(exitCode != null && { exitCode }) };
  if (data?.status === "completed") return { output, metadata };
  if (data?.status === "declined") return { error: DECLINED, output, metadata };
  return {
    error: output.trim() === "" ? `The command failed with exit code ${exitCode ?? "unknown"}` : output,
    output,
    metadata,
  };
}

function endOfFileChange(item: ThreadItem, directory: string): ToolEnd {
  const { status } = Ended.parse(item);
  const changes = changesOf(item);
  const metadata = { ...summarizeChanges(changes, directory) };
  if (status === "declined") return { error: DECLINED, output: "", metadata };
  if (status === "failed") return { error: "The patch could not be applied", output: "", metadata };
  const lines = changes.map(({ path, kind }) => `${kind.type} ${path}`);
  return { output: lines.join("\n"), metadata };
}

function endOfMcp(item: ThreadItem): ToolEnd {
  const { data } = McpEnd.safeParse(item);
  const content = (data?.result?.content ?? []).filter(isRecord);
  const output = content.flatMap((block) => (block.type === "text" ? [String(block.text ?? "")] : [])).join("\n");
  const structured = data?.result?.structuredContent;
  const metadata = structured == null ? {} : { structuredContent: structured };
  if (data?.status === "completed") return { output, metadata, attachments: content.flatMap(imageOf) };
  return { error: data?.error?.message ?? (output || "The tool failed"), output, metadata };
}

function imageOf(block: Record<string, unknown>): Attachment[] {
  if (block.type !== "image" || typeof block.data !== "string") return [];
  const mime = String(block.mimeType ?? "application/octet-stream");
  return [{ type: "file", mime, url: `data:${mime};base64,${block.data}` }];
}

function endOfDynamic(item: ThreadItem): ToolEnd {
  const { data } = DynamicEnd.safeParse(item);
  const content = (data?.contentItems ?? []).filter(isRecord);
  const output = outputIn(content);
  return data?.success === true
    ? { output, metadata: {}, attachments: imagesIn(content) }
    : { error: output || "The tool failed", output, metadata: {} };
}

/** The text of what a client's tool came to. */
export function outputIn(items: readonly Record<string, unknown>[]): string {
  return items.flatMap(({ type, text: output }) => (type === "inputText" ? [String(output ?? "")] : [])).join("\n");
}

/** Its images, as files. */
export function imagesIn(items: readonly Record<string, unknown>[]): Attachment[] {
  return items.flatMap(({ type, imageUrl }) => {
    if (type !== "inputImage" || typeof imageUrl !== "string") return [];
    return [{ type: "file" as const, mime: MIME.exec(imageUrl)?.[1] ?? "application/octet-stream", url: imageUrl }];
  });
}

const MIME = /^data:([^;,]+)/;

function endOfOther(item: ThreadItem): ToolEnd {
  const { status } = Ended.safeParse(item).data ?? {};
  if (status === "failed") return { error: "The tool failed", output: "", metadata: {} };
  return { output: outputOfCollab(item), metadata: {} };
}

/** What the agents that were waited for said last. One that is told something new may not have forgotten yet what it said before. */
function outputOfCollab(item: ThreadItem): string {
  if (item.tool === "sendInput") return "";
  const states = isRecord(item.agentsStates) ? Object.values(item.agentsStates).filter(isRecord) : [];
  return states.flatMap(({ message }) => (typeof message === "string" ? [message] : [])).join("\n\n");
}
