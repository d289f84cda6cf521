import { expect, test } from "vitest";
import { fileOf, folderOf, rolloutFolder } from "../../../../adapters/codex/transcript/layout.js";
import { THREAD, threadID } from "./writer.js";

const NAME = `rollout-2026-01-01T10-00-00-${THREAD}.jsonl`;
const path = (name: string) => ["2026", "01", "01", name];
const meta = (payload: Record<string, unknown> = {}) => ({ type: "session_meta", payload: { id: THREAD, ...payload } });
const spawned = (source: unknown) => meta({ source, session_id: threadID(1), parent_thread_id: threadID(3) });

test.each([
  ["a session", NAME, meta({ source: "cli" }), { nativeID: THREAD, thread: "", kind: "lines", name: THREAD }],
  [
    "a session that was begun anew",
    NAME.replace(".jsonl", `_${threadID(7)}.jsonl`),
    meta({ history_base: { thread_id: THREAD, end_byte_offset: 12 } }),
    { nativeID: THREAD, thread: "", kind: "lines", name: threadID(7), base: { name: THREAD, bytes: 12 } },
  ],
  [
    "a subagent",
    NAME,
    spawned({ subagent: { thread_spawn: { depth: 1 } } }),
    { nativeID: threadID(1), thread: THREAD, kind: "lines", name: THREAD },
  ],
  ["a reviewer, who is not shown", NAME, spawned({ subagent: { other: "guardian" } }), undefined],
  ["a file without its first line yet", NAME, undefined, undefined],
  ["a file that is something else", "session_index.jsonl", meta(), undefined],
  ["a first line of another kind", NAME, { type: "turn_context", payload: {} }, undefined],
])("%s", (_, name, first, file) => {
  expect(fileOf(path(name), first)).toEqual(file);
});

test("all rollouts are below one folder, by date", () => {
  expect(rolloutFolder({}, "/home/user")).toBe("/home/user/.codex/sessions");
  expect(rolloutFolder({ CODEX_HOME: "/codex" }, "/home/user")).toBe("/codex/sessions");
  expect(folderOf(`/codex/sessions/2026/01/01/${NAME}`)).toBe("/codex/sessions");
  expect(folderOf(`C:\\codex\\sessions\\2026\\01\\01\\${NAME}`)).toBe("C:\\codex\\sessions");
  expect(folderOf(`/elsewhere/${NAME}`)).toBe("/elsewhere");
});
