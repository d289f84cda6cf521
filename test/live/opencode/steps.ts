export { lastToolResults } from "../anthropic/seen.js";
export * from "../steps.js";

/**
 * What a command that is ended with its turn leaves. OpenCode waits 250 ms for what the command has to say; on a busy machine
 * that passes, and it writes an end of its own.
 */
export const END_OF_ENDED_COMMAND = ["error", "output", "exit", "truncated", "interrupted"];
