import { isRecord } from "../../shared/is-record.js";
import type { RunningSessions, TranscriptFile } from "../../transcript-reader.js";

type Env = Readonly<Record<string, string | undefined>>;

const FILE_SUFFIX = ".jsonl";
const ABOUT_SUFFIX = ".meta.json";
const SUBAGENTS = "subagents";
const SUBAGENT_PREFIX = "agent-";

export function transcriptFolder(env: Env, home: string): string {
  return `${configFolder(env, home)}/projects`;
}

function configFolder(env: Env, home: string): string {
  return env.CLAUDE_CONFIG_DIR || `${home}/.claude`;
}

/**
 * `<project>/<session>.jsonl` is a session, `<session>/subagents/agent-<id>.jsonl` a subagent of it and
 * `agent-<id>.meta.json` what is said about that. Versions before 2.1 put the subagents' files beside the sessions', where
 * only their lines tell whose they are: those are left out.
 */
export function fileOf(path: readonly string[]): TranscriptFile | undefined {
  const name = path.at(-1) ?? "";
  const folder = path.lastIndexOf(SUBAGENTS);
  if (folder > 0) return subagentFile(path[folder - 1] ?? "", name);
  if (!name.endsWith(FILE_SUFFIX) || name.startsWith(SUBAGENT_PREFIX)) return undefined;
  return { nativeID: name.slice(0, -FILE_SUFFIX.length), thread: "", kind: "lines" };
}

/** The folder beside the session's own file, with its name. */
export function folderOf(path: string): string {
  return path.slice(0, -FILE_SUFFIX.length);
}

function subagentFile(nativeID: string, name: string): TranscriptFile | undefined {
  if (!name.startsWith(SUBAGENT_PREFIX)) return undefined;
  const id = (suffix: string) => name.slice(SUBAGENT_PREFIX.length, -suffix.length);
  if (name.endsWith(ABOUT_SUFFIX)) return { nativeID, thread: id(ABOUT_SUFFIX), kind: "about" };
  return name.endsWith(FILE_SUFFIX) ? { nativeID, thread: id(FILE_SUFFIX), kind: "lines" } : undefined;
}

/** Where an output that was too large for its line stands, below the session's own folder. Only its name is believed. */
export function sideFile(path: string): string {
  return `tool-results/${path.split(/[\\/]/).at(-1)}`;
}

/** `sessions/<pid>.json` stands there while a CLI runs; one that was killed leaves it behind. */
export const RUNNING: RunningSessions = {
  folder: (env, home) => `${configFolder(env, home)}/sessions`,
  read: (raw) => {
    const { sessionId, pid } = isRecord(raw) ? raw : {};
    return typeof sessionId === "string" && typeof pid === "number" ? { nativeID: sessionId, pid } : undefined;
  },
};
