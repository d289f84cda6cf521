import { diffFile } from "../shared/file-diff.js";
import { isRecord } from "../shared/is-record.js";
import { relativePath } from "../shared/relative-path.js";
import { at, type FileContent, filesOf, textsOf } from "./content.js";
import type { FieldPath, Profile } from "./profile.js";
import type { Call } from "./state.js";

/** How a tool ended: with an output, or with the reason why not. */
export interface ToolEnd {
  readonly error?: string;
  readonly output: string;
  readonly metadata: Record<string, unknown>;
  readonly attachments: readonly FileContent[];
}

/** Agents' places of the exit code of a command. */
const EXIT_CODES: readonly FieldPath[] = [
  "rawOutput.exit_code",
  "rawOutput.exitCode",
  "rawOutput.metadata.exit",
  "rawOutput.contents.0.exitCode",
];

export function endOf(call: Call, tool: string, directory: string, profile: Profile): ToolEnd {
  const output = outputOf(call, profile);
  const exitCode = exitCodeOf(call);
  const metadata = {
    // Also of what is no command, where it may have been seen to grow.
    ...((tool === "bash" || call.terminal !== "") && { output }),
    ...(exitCode !== undefined && { exitCode }),
    ...changesOf(call, directory),
  };
  const attachments = filesOf(call.content ?? []);
  if (call.status !== "failed" && !exitCode) return { output, metadata, attachments };
  const error = output.trim() || (exitCode ? `The command failed with exit code ${exitCode}` : "The tool failed");
  return { error, output, metadata, attachments };
}

function exitCodeOf(call: Call): number | undefined {
  if (call.exitCode !== undefined) return call.exitCode;
  const codes = EXIT_CODES.map((path) => at(call, path));
  return codes.find((code): code is number => typeof code === "number");
}

/** The first place that holds a text. */
export function outputOf(call: Call, { tools }: Profile): string {
  for (const path of tools.outputs) {
    const text = path === "content" ? contentText(call) : asText(at({ ...call, _meta: call.meta }, path));
    if (text !== "") return tools.outputTail ? text.replace(tools.outputTail, "") : text;
  }
  return "";
}

/** What is shown of a call that has not begun may be its arguments. */
export function contentText({ content = [], raw }: Call): string {
  const text = textsOf(content).join("\n");
  return raw !== undefined && text === raw ? "" : text;
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : textsOf(value).join("\n");
}

/** The changes of files as patches: what a person needs to decide about them, and what the part keeps. */
export function changesOf({ diffs }: Call, directory: string): Record<string, unknown> {
  const files = diffs.filter(isRecord).flatMap((diff) => {
    if (typeof diff.path !== "string") return [];
    const before = typeof diff.oldText === "string" ? diff.oldText : null;
    const after = typeof diff.newText === "string" ? diff.newText : "";
    const path = relativePath(diff.path, directory);
    const { patch, additions, deletions } = diffFile(path, before, after);
    return [{ relativePath: path, type: before === null ? "add" : "update", patch, additions, deletions }];
  });
  return files.length === 0 ? {} : { diff: files.map(({ patch }) => patch).join(""), files };
}
