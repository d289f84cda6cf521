import { isRecord } from "../shared/is-record.js";
import { UNREAD_NOTIFICATIONS } from "./notifications.js";

const CUT = "…";
const PROSE_LENGTH = 300;

/** A message as a golden trace keeps it: nothing of what is not read, and of the vendor's texts their first words. */
export function trimFrame(raw: unknown): unknown {
  if (!isRecord(raw)) return raw;
  const { emittedAtMs: _, ...frame } = raw;
  if (typeof frame.method === "string") return { ...frame, params: trimParams(frame.method, frame.params) };
  if (isRecord(frame.result)) return { ...frame, result: trimResult(frame.result) };
  return isRecord(frame.error) ? { ...frame, error: { ...frame.error, message: cut(frame.error.message) } } : frame;
}

function trimParams(method: string, params: unknown): unknown {
  if (!isRecord(params)) return params;
  if (UNREAD_NOTIFICATIONS.has(method)) return pick(params, ["threadId"]);
  if (method === "thread/started") return { thread: trimThread(params.thread) };
  if (method === "thread/settings/updated") return { ...params, threadSettings: trimSettings(params.threadSettings) };
  if (isRecord(params.turn)) return { ...params, turn: { ...params.turn, items: [] } };
  return params;
}

function trimResult(result: Record<string, unknown>): unknown {
  if (Array.isArray(result.data)) return { data: result.data.slice(0, 1).map(trimModel) };
  if (result.thread === undefined) return result;
  return {
    ...pick(result, ["model", "modelProvider", "approvalPolicy", "sandbox"]),
    thread: trimThread(result.thread),
  };
}

function trimThread(thread: unknown): unknown {
  return isRecord(thread) ? pick(thread, ["id", "parentThreadId", "forkedFromId", "cliVersion", "source"]) : thread;
}

/** One stands for the list of models. */
function trimModel(model: unknown): unknown {
  if (!isRecord(model)) return model;
  const levels = Array.isArray(model.supportedReasoningEfforts) ? model.supportedReasoningEfforts : [];
  const supportedReasoningEfforts = levels.filter(isRecord).map((level) => pick(level, ["reasoningEffort"]));
  return { model: model.model, supportedReasoningEfforts };
}

function trimSettings(settings: unknown): unknown {
  return isRecord(settings) ? pick(settings, ["model", "modelProvider", "approvalPolicy", "sandboxPolicy"]) : settings;
}

function pick(record: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]]));
}

function cut(value: unknown): unknown {
  return typeof value === "string" && value.length > PROSE_LENGTH ? value.slice(0, PROSE_LENGTH) + CUT : value;
}
