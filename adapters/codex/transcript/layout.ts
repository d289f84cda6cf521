import { isRecord } from "../../shared/is-record.js";
import type { TranscriptFile } from "../../transcript-reader.js";

type Env = Readonly<Record<string, string | undefined>>;

export function rolloutFolder(env: Env, home: string): string {
  return `${env.CODEX_HOME || `${home}/.codex`}/sessions`;
}

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
/** `rollout-<time>-<thread>.jsonl`; one that a revert began anew has an id of its own behind the thread's. */
const FILE_NAME = new RegExp(`^rollout-.*?-(${UUID})(?:_(${UUID}))?\\.jsonl$`);

/** The first line tells whose thread it is. Only subagents that speak on the stream are shown: no reviewer is. */
export function fileOf(path: readonly string[], first: unknown): TranscriptFile | undefined {
  const [, thread, rewritten] = FILE_NAME.exec(path.at(-1) ?? "") ?? [];
  const meta = metaIn(first);
  if (thread === undefined || !meta) return undefined;
  const file = { kind: "lines" as const, name: rewritten ?? thread };
  const subagent = isRecord(meta.source) ? meta.source.subagent : undefined;
  if (subagent === undefined) return { ...file, nativeID: thread, thread: "", ...baseOf(meta) };
  if (!isRecord(subagent) || !isRecord(subagent.thread_spawn)) return undefined;
  return { ...file, nativeID: String(meta.session_id ?? meta.parent_thread_id), thread };
}

function metaIn(first: unknown): Record<string, unknown> | undefined {
  return isRecord(first) && first.type === "session_meta" && isRecord(first.payload) ? first.payload : undefined;
}

/** What a fork has from its origin is not copied, but named. */
function baseOf({ history_base: base }: Record<string, unknown>): Pick<TranscriptFile, "base"> {
  if (!isRecord(base) || typeof base.thread_id !== "string" || typeof base.end_byte_offset !== "number") return {};
  return { base: { name: base.thread_id, bytes: base.end_byte_offset } };
}

/** Files stand in folders by date, `sessions/2026/11/30`; a subagent may have begun on a later day. */
export function folderOf(path: string): string {
  const folder = path.replace(/[\\/][^\\/]*$/, "");
  return folder.replace(/[\\/]\d{4}[\\/]\d{2}[\\/]\d{2}$/, "");
}
