import { join } from "node:path";
import { type BlockOptions, type ScriptedBlock, toolUse } from "../anthropic/script.js";

/** Tool calls as Claude Code's models write them. */

/** One delta: a path that is cut between two could not be given a placeholder. */
const WHOLE = { chunk: 1000 };

export function bash(command: string, description: string, options: BlockOptions = {}): ScriptedBlock {
  return toolUse("Bash", { command, description }, options);
}

export function write(directory: string, file: string, content: string): ScriptedBlock {
  return toolUse("Write", { file_path: join(directory, file), content }, WHOLE);
}

export function edit(directory: string, file: string, before: string, after: string): ScriptedBlock {
  return toolUse("Edit", { file_path: join(directory, file), old_string: before, new_string: after }, WHOLE);
}

export function read(directory: string, file: string): ScriptedBlock {
  return toolUse("Read", { file_path: join(directory, file) }, WHOLE);
}

/** A command that the CLI runs beside the conversation. */
export function backgroundBash(command: string, description: string): ScriptedBlock {
  return toolUse("Bash", { command, description, run_in_background: true }, WHOLE);
}

export interface AgentOptions {
  readonly background?: boolean;
  readonly type?: string;
  readonly name?: string;
}

/** A subagent whose model requests are answered by the lane of this name. */
export function agent(lane: string, description: string, options: AgentOptions = {}): ScriptedBlock {
  const { background = false, type = "general-purpose", name } = options;
  const input = {
    description,
    prompt: `LANE=${lane} ${description}.`,
    subagent_type: type,
    run_in_background: background,
  };
  return toolUse("Agent", { ...input, ...(name !== undefined && { name }) }, WHOLE);
}

export interface ScriptedQuestion {
  readonly question: string;
  readonly header: string;
  readonly labels: readonly string[];
  readonly multiple?: boolean;
}

export function askUser(...questions: readonly ScriptedQuestion[]): ScriptedBlock {
  const native = questions.map(({ question, header, labels, multiple = false }) => ({
    question,
    header,
    options: labels.map((label) => ({ label, description: `Take ${label}` })),
    multiSelect: multiple,
  }));
  return toolUse("AskUserQuestion", { questions: native }, WHOLE);
}

export function taskCreate(subject: string): ScriptedBlock {
  return toolUse("TaskCreate", { subject, description: `${subject}, all of it` }, WHOLE);
}

export function taskUpdate(taskId: string, status: "in_progress" | "completed" | "deleted"): ScriptedBlock {
  return toolUse("TaskUpdate", { taskId, status }, WHOLE);
}

export function taskList(): ScriptedBlock {
  return toolUse("TaskList", {}, WHOLE);
}
