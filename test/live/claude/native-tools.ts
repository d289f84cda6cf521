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
