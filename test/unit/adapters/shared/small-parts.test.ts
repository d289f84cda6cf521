import { describe, expect, test } from "vitest";
import { cloneJson } from "../../../../adapters/shared/clone-json.js";
import { rememberAlways, resolveBlock } from "../../../../adapters/shared/resolve-block.js";
import { applyUpdate, setStatus, updateNative, updateSession } from "../../../../adapters/shared/session-record.js";
import { stableUuid } from "../../../../adapters/shared/stable-uuid.js";
import type { PermissionRule } from "../../../../schemas/index.js";
import { createDraft, permission, question, typesOf } from "./draft.js";

describe("stableUuid", () => {
  const texts = ["", "a", "b", "msg_0mx3mb80u8c1d27000001", "msg_0mx3mb80u8c1d27000002", "é👩‍👧"];

  test.each(texts)("%j has the shape of a version 4 uuid, always the same", (text) => {
    expect(stableUuid(text)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(stableUuid(text)).toBe(stableUuid(text));
  });

  test("ten thousand neighbouring ids give ten thousand uuids", () => {
    const uuids = Array.from({ length: 10_000 }, (_, i) =>
      stableUuid(`msg_0mx3mb80u8c1d27${i.toString(36).padStart(6, "0")}`),
    );
    expect(new Set(uuids).size).toBe(10_000);
  });

  test("it does not change from version to version: a resent prompt must keep its uuid", () => {
    expect(stableUuid("msg_0mx3mb80u8c1d27000001")).toBe("006c5d1b-dc5b-40a0-85c1-968ddf28fd36");
  });
});

describe("cloneJson", () => {
  test("the copy is equal and shares no object", () => {
    const value = { list: [1, "text", null, { deep: true }], nothing: undefined };
    const copy = cloneJson(value);
    expect(copy).toStrictEqual(value);
    expect(copy.list).not.toBe(value.list);
    expect(copy.list[3]).not.toBe(value.list[3]);
  });
});

describe("resolveBlock", () => {
  const draft = createDraft();

  test("a permission keeps what was asked, with the decision", () => {
    const block = permission("a", ["ls *"]);
    expect(resolveBlock(draft, block, { decision: "reject", decidedBy: "user", message: "no" })).toEqual({
      ...block,
      decision: "reject",
      decidedBy: "user",
      decidedAt: draft.at,
      message: "no",
    });
  });

  test("a question has answers and no decision", () => {
    const resolved = resolveBlock(draft, question("a", "Which?"), {
      decision: "once",
      decidedBy: "user",
      answers: [["A", "B"]],
    });
    expect(resolved).toMatchObject({ answers: [["A", "B"]] });
    expect(resolved).not.toHaveProperty("decision");
    expect(resolved).not.toHaveProperty("rejected");
  });
});

describe("rememberAlways", () => {
  const always = (...patterns: string[]) =>
    resolveBlock(createDraft(), permission("a", patterns), { decision: "always", decidedBy: "user" }) as never;

  test("adds what was offered, marked as an approval, after the rules there are", () => {
    const own: PermissionRule = { permission: "bash", pattern: "rm *", action: "deny" };
    const draft = createDraft({ permission: [own] });
    rememberAlways(draft, always("ls *", "cat *"));
    expect(draft.transcript.session.permission).toEqual([
      own,
      { permission: "bash", pattern: "ls *", action: "allow", source: "approval" },
      { permission: "bash", pattern: "cat *", action: "allow", source: "approval" },
    ]);
  });

  test("doubles nothing", () => {
    const draft = createDraft();
    rememberAlways(draft, always("ls *", "ls *"));
    rememberAlways(draft, always("ls *"));
    expect(draft.transcript.session.permission).toHaveLength(1);
    expect(typesOf(draft)).toEqual(["session.updated"]);
  });
});

describe("the session's record", () => {
  test("what changes nothing is not told", () => {
    const draft = createDraft();
    updateSession(draft, { title: "" });
    setStatus(draft, { type: "idle" });
    expect(draft.outputs).toEqual([]);
  });

  test("what the agent says of itself is merged beside what a client keeps", () => {
    const draft = createDraft({ metadata: { own: 1 } });
    updateNative(draft, { sessionID: "a", model: "m" });
    updateNative(draft, { model: "n" });
    expect(draft.transcript.session.metadata).toEqual({ own: 1, native: { sessionID: "a", model: "n" } });
  });

  test("an update changes what it names, and metadata field by field", () => {
    const draft = createDraft({ metadata: { kept: 1, changed: 1 }, title: "before" });
    applyUpdate(draft, { metadata: { changed: 2 } });
    expect(draft.transcript.session).toMatchObject({ title: "before", metadata: { kept: 1, changed: 2 } });
    applyUpdate(draft, { title: "", permission: [] });
    expect(draft.transcript.session).toMatchObject({ title: "", permission: [] });
  });
});
