import type { ReviewTarget } from "../../schemas/index.js";
import type { Command } from "../contract.js";
import { nextId } from "../shared/transcript.js";
import type { CodexDraft } from "./state.js";
import { onPrompt } from "./turn.js";

type TaskCommand = Extract<Command, { type: "compact" | "review" }>;

/** A task is a prompt in the conversation: it waits, is aborted and fails like one. */
export function onTask(draft: CodexDraft, command: TaskCommand): void {
  const messageID = command.messageID ?? nextId(draft, "msg");
  draft.state.tasks[messageID] =
    command.type === "compact" ? { kind: "compact" } : { kind: "review", target: command.target };
  const text = command.type === "compact" ? "/compact" : `/review ${describeTarget(command.target)}`;
  onPrompt(draft, { type: "prompt", messageID, parts: [{ type: "text", text }] });
}

function describeTarget(target: ReviewTarget): string {
  switch (target.type) {
    case "uncommittedChanges":
      return "the uncommitted changes";
    case "baseBranch":
      return `the changes since ${target.branch}`;
    case "commit":
      return `commit ${target.title ? `${target.sha}: ${target.title}` : target.sha}`;
    case "custom":
      return target.instructions;
  }
}
