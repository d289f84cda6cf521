import { isRecord } from "../shared/is-record.js";
import { updateNative } from "../shared/session-record.js";
import { annotateTool } from "../shared/tool-call.js";
import { sendRequest } from "./control.js";
import type { ControlResponseFrame, SystemFrame } from "./frame.js";
import { type BackgroundTask, type ClaudeDraft, inThread, inThreadOfCall } from "./state.js";

/** How often the output of a command in the background is looked at, in milliseconds. */
const LOOK_MS = 3000;
/** What the CLI writes behind the output of a command that has ended, some time after it says so. The status tells it. */
const END_NOTE = /\n\[(?:exited with code -?\d+|killed)\]\n$/;
export const TASKS_TIMER = "tasks";

/**
 * What runs beside the conversation is on the session, as `metadata.native.backgroundTasks`: the tool that started it has
 * ended, and its part is not opened again. A task that ended stays until the next prompt.
 */
export function noteTask(draft: ClaudeDraft, frame: SystemFrame): void {
  const taskID = frame.task_id ?? "";
  switch (frame.subtype) {
    case "task_started":
      return onStarted(draft, taskID, frame);
    case "task_updated":
      return onStatus(draft, taskID, frame.patch?.status);
    case "task_notification":
      return onStatus(draft, taskID, frame.status);
    case "background_tasks_changed":
      return onListed(draft, frame.tasks ?? []);
    default:
      return;
  }
}

/** A command that takes longer than a moment is a task too: it can be told by its id. */
function onStarted(draft: ClaudeDraft, taskID: string, frame: SystemFrame): void {
  const callID = frame.tool_use_id ?? "";
  const owner = inThreadOfCall(draft, callID);
  if (frame.task_type !== "local_agent" && owner) annotateTool(owner, callID, { taskID });
  linkTask(draft, taskID, callID);
}

/** The call that a task was started by. */
export function linkTask(draft: ClaudeDraft, taskID: string, callID: string): void {
  const task = draft.state.tasks[taskID];
  if (!task || callID === "") return;
  const sessionID = draft.state.subagents[taskID]?.transcript.session.id;
  Object.assign(task, { callID, ...(sessionID !== undefined && { sessionId: sessionID }) });
  tell(draft);
}

const ENDS: Readonly<Record<string, BackgroundTask["status"]>> = {
  completed: "completed",
  failed: "failed",
  killed: "stopped",
  stopped: "stopped",
};

function onStatus(draft: ClaudeDraft, taskID: string, native: string | null | undefined): void {
  const status = ENDS[native ?? ""];
  if (status !== undefined) endTask(draft, taskID, status);
}

/** The CLI tells what a command wrote also when it has ended. */
function endTask(draft: ClaudeDraft, taskID: string, status: BackgroundTask["status"]): void {
  const task = draft.state.tasks[taskID];
  if (!task || task.status === status) return;
  if (task.status === "running" && isCommand(task)) askOutput(draft, task);
  task.status = status;
  tell(draft);
}

/** All that runs now. What is there no more has ended, mostly with a line of its own before. */
function onListed(draft: ClaudeDraft, listed: NonNullable<SystemFrame["tasks"]>): void {
  const { tasks } = draft.state;
  for (const task of listed) {
    if (tasks[task.task_id]?.status === "running") continue;
    tasks[task.task_id] = {
      taskID: task.task_id,
      type: task.task_type ?? "unknown",
      description: task.description ?? "",
      status: "running",
    };
    if (task.task_type === "local_bash") lookLater(draft);
  }
  const names = new Set(listed.map((task) => task.task_id));
  for (const { taskID, status } of Object.values(tasks)) {
    if (status === "running" && !names.has(taskID)) endTask(draft, taskID, "stopped");
  }
  tell(draft);
}

function lookLater(draft: ClaudeDraft): void {
  draft.outputs.push({ kind: "wake", timer: TASKS_TIMER, afterMs: LOOK_MS });
}

export function onTasksTimer(draft: ClaudeDraft): void {
  const running = Object.values(draft.state.tasks).filter((task) => task.status === "running" && isCommand(task));
  if (running.length === 0 || draft.state.process !== "running") return;
  if (mayAsk(draft)) for (const task of running) if (!isAsked(draft, task)) askOutput(draft, task);
  lookLater(draft);
}

/** The answers are lines of the CLI: they may not hide that a model has said nothing for long. */
function mayAsk({ main }: ClaudeDraft): boolean {
  return main.transcript.turn === null || Object.keys(main.transcript.tools).length > 0;
}

function isCommand({ type }: BackgroundTask): boolean {
  return type === "local_bash";
}

function isAsked({ state }: ClaudeDraft, { taskID }: BackgroundTask): boolean {
  return Object.values(state.taskReads).includes(taskID);
}

function askOutput(draft: ClaudeDraft, { taskID }: BackgroundTask): void {
  const requestID = sendRequest(draft, { subtype: "get_task_output", task_id: taskID });
  draft.state.taskReads[requestID] = taskID;
}

/** The last 8 KiB of what a command wrote. */
export function onTaskOutput(draft: ClaudeDraft, { response }: ControlResponseFrame): void {
  const task = draft.state.tasks[draft.state.taskReads[response.request_id] ?? ""];
  delete draft.state.taskReads[response.request_id];
  if (!task || !isRecord(response.response)) return;
  const { output, total_bytes: totalBytes, truncated } = response.response;
  if (typeof output !== "string" || typeof totalBytes !== "number") return;
  const [end = ""] = END_NOTE.exec(output) ?? [];
  const written = { output: output.slice(0, output.length - end.length), totalBytes: totalBytes - end.length };
  Object.assign(task, { ...written, truncated: truncated === true });
  tell(draft);
}

/** A new prompt: what has ended is history. */
export function forgetEndedTasks(draft: ClaudeDraft): void {
  const { tasks } = draft.state;
  const running = Object.entries(tasks).filter(([, { status }]) => status === "running");
  if (running.length === Object.keys(tasks).length) return;
  draft.state.tasks = Object.fromEntries(running);
  tell(draft);
}

/** Their process is gone. */
export function loseTasks(draft: ClaudeDraft): void {
  draft.state.taskReads = {};
  const running = Object.values(draft.state.tasks).filter(({ status }) => status === "running");
  if (running.length === 0) return;
  for (const task of running) task.status = "stopped";
  tell(draft);
}

function tell(draft: ClaudeDraft): void {
  const backgroundTasks = Object.values(draft.state.tasks).map((task) => ({ ...task }));
  updateNative(inThread(draft, draft.main), { backgroundTasks });
}
