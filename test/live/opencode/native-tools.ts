import { join } from "node:path";
import { type BlockOptions, type ScriptedBlock, toolUse } from "../anthropic/script.js";

/** Tool calls as OpenCode's models write them. */

/** One delta: a path that is cut between two could not be given a placeholder. */
const WHOLE = { chunk: 100_000 };

export function bash(command: string, description = "Run it", options: BlockOptions = {}): ScriptedBlock {
  return toolUse("bash", { command, description }, { ...WHOLE, ...options });
}

export function read(directory: string, file: string): ScriptedBlock {
  return toolUse("read", { filePath: join(directory, file) }, WHOLE);
}

export function write(directory: string, file: string, content: string): ScriptedBlock {
  return toolUse("write", { filePath: join(directory, file), content }, WHOLE);
}

export function edit(directory: string, file: string, oldString: string, newString: string): ScriptedBlock {
  return toolUse("edit", { filePath: join(directory, file), oldString, newString }, WHOLE);
}

/** A subagent whose model requests are answered by the lane of this name. */
export function task(lane: string, description: string, extra: Readonly<Record<string, unknown>> = {}): ScriptedBlock {
  const input = { description, prompt: `LANE=${lane} ${description}.`, subagent_type: "general", ...extra };
  return toolUse("task", input, WHOLE);
}

export interface ScriptedQuestion {
  readonly question: string;
  readonly header: string;
  readonly labels: readonly string[];
  readonly multiple?: boolean;
}

export function askUser(...questions: readonly ScriptedQuestion[]): ScriptedBlock {
  const native = questions.map(({ question, header, labels, multiple }) => ({
    question,
    header,
    options: labels.map((label) => ({ label, description: `Take ${label}` })),
    ...(multiple !== undefined && { multiple }),
  }));
  return toolUse("question", { questions: native }, WHOLE);
}

export function todos(...items: readonly (readonly [content: string, status: string])[]): ScriptedBlock {
  const list = items.map(([content, status]) => ({ content, status, priority: "medium" }));
  return toolUse("todowrite", { todos: list }, WHOLE);
}
