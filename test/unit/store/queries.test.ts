import { describe, expect, it } from "vitest";
import { checkpoint, Recorder } from "./recorder.js";
import * as make from "./samples.js";

const at = (created: number) => ({ time: { created, updated: created } });

function family(): Recorder {
  const recorder = new Recorder();
  recorder.given(
    make.created(make.session("ses_1", at(1))),
    make.created(make.session("ses_2", { ...at(2), agent: "codex", directory: "/other" })),
    make.created(make.session("ses_3", { ...at(2), status: { type: "busy" } })),
    make.created(make.session("ses_5", { ...at(5), parentID: "ses_1", status: { type: "busy" } })),
    make.created(make.session("ses_4", { ...at(5), parentID: "ses_1" })),
    make.created(make.session("ses_6", { ...at(6), parentID: "ses_4" })),
  );
  return recorder;
}

const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

describe("sessions", () => {
  it("lists roots, the newest first, page by page", () => {
    const { store } = family();
    expect(ids(store.sessions({ limit: 9 }))).toEqual(["ses_3", "ses_2", "ses_1"]);
    expect(ids(store.sessions({ limit: 1, before: "ses_3" }))).toEqual(["ses_2"]);
    expect(ids(store.sessions({ limit: 9, agent: "codex" }))).toEqual(["ses_2"]);
    expect(ids(store.sessions({ limit: 9, directory: "/project" }))).toEqual(["ses_3", "ses_1"]);
  });

  it("leaves archived sessions out where that is wanted", () => {
    const recorder = family();
    const { store } = recorder;
    recorder.given(make.updated(make.session("ses_2", { time: { ...at(2).time, archived: 7 } })));
    expect(ids(store.sessions({ limit: 9, archived: false }))).toEqual(["ses_3", "ses_1"]);
    expect(ids(store.sessions({ limit: 9, archived: true }))).toEqual(["ses_3", "ses_2", "ses_1"]);
    expect(ids(store.sessions({ limit: 9 }))).toEqual(["ses_3", "ses_2", "ses_1"]);
  });

  it("refuses to page from what is unknown", () => {
    const { store } = family();
    expect(() => store.sessions({ limit: 9, before: "ses_9" })).toThrow(expect.objectContaining({ kind: "not_found" }));
    expect(() => store.messages("ses_1", { limit: 9, before: "msg_9" })).toThrow(
      expect.objectContaining({ kind: "not_found", detail: { field: "before" } }),
    );
  });

  it("knows children, roots and what is unfinished", () => {
    const { store } = family();
    expect(ids(store.children("ses_1"))).toEqual(["ses_4", "ses_5"]);
    expect(store.rootOf("ses_6")).toBe("ses_1");
    expect(store.rootOf("ses_1")).toBe("ses_1");
    expect(store.rootOf("ses_9")).toBeUndefined();
    expect(ids(store.unfinished())).toEqual(["ses_3"]);
    expect(store.session("ses_2")?.agent).toBe("codex");
    expect(store.session("ses_9")).toBeUndefined();
  });

  it("are counted, roots alone; those that are not idle by agent and status", () => {
    const { store } = family();
    const { sessions, active, bytes } = store.stats();
    expect(sessions).toBe(3);
    expect(active).toEqual([{ agent: "claude", status: "busy", number: 1 }]);
    expect(bytes).toBeGreaterThan(4096);
  });

  it("deletes a session with its children, and whatever was theirs", () => {
    const recorder = family();
    const { store } = recorder;
    const message = make.assistantMessage("ses_6", "msg_6");
    const part = make.textPart({ sessionID: "ses_6", messageID: "msg_6", id: "prt_6" });
    recorder.given(make.message(message), make.partUpdated(part));
    recorder.write([], checkpoint(1));
    store.deleteSession("ses_1");
    expect(recorder.heard.map(({ properties }) => properties)).toEqual([
      { sessionID: "ses_6" },
      { sessionID: "ses_4" },
      { sessionID: "ses_5" },
      { sessionID: "ses_1" },
    ]);
    expect(ids(store.sessions({ limit: 9 }))).toEqual(["ses_3", "ses_2"]);
    expect(store.part("prt_6")).toBeUndefined();
    expect(store.messages("ses_6", { limit: 9 })).toEqual([]);
    expect(store.checkpoint("ses_1")).toBeUndefined();
    recorder.groups.length = 0;
    store.deleteSession("ses_1");
    expect(recorder.groups).toEqual([]);
  });

  it("takes a child whose parent is unknown for a root", () => {
    const recorder = family();
    recorder.given(make.created(make.session("ses_8", { ...at(8), parentID: "ses_9" })));
    expect(recorder.store.rootOf("ses_8")).toBe("ses_8");
    expect(ids(recorder.store.sessions({ limit: 1 }))).toEqual(["ses_8"]);
  });
});

describe("messages", () => {
  it("lists the oldest first, the newest page first, with parts by id and every delta so far", () => {
    const recorder = family();
    const place = { sessionID: "ses_1", messageID: "msg_2" };
    const open = make.textPart({ ...place, id: "prt_2" });
    recorder.given(
      make.message(make.userMessage("ses_1", "msg_3", 3)),
      make.message(make.userMessage("ses_1", "msg_1", 1)),
      make.message(make.assistantMessage("ses_1", "msg_2", 1)),
      make.partUpdated(open),
      make.partUpdated(make.toolPart({ ...place, id: "prt_1" }, make.running("x"))),
    );
    recorder.write([make.delta(open, 0, "so far")]);
    const page = recorder.store.messages("ses_1", { limit: 2 });
    expect(page.map(({ info }) => info.id)).toEqual(["msg_2", "msg_3"]);
    expect(ids(page[0]?.parts ?? [])).toEqual(["prt_1", "prt_2"]);
    expect(page[0]?.parts[1]).toEqual({ ...open, text: "so far" });
    expect(recorder.store.part("prt_2")).toEqual({ ...open, text: "so far" });
    const before = recorder.store.messages("ses_1", { limit: 9, before: "msg_2" });
    expect(before.map(({ info }) => info.id)).toEqual(["msg_1"]);
  });
});

describe("blocks and todos", () => {
  it("lists the tools that wait, everywhere or below a session", () => {
    const recorder = family();
    const block = (sessionID: string, n: number) => {
      const tool = make.toolPart({ sessionID, messageID: `msg_${n}`, id: `prt_${n}` }, make.blocked(`per_${n}`));
      return [make.message(make.assistantMessage(sessionID, `msg_${n}`)), make.partUpdated(tool)];
    };
    recorder.given(...block("ses_6", 1), ...block("ses_2", 2), ...block("ses_5", 3));
    const blockIDs = (sessionID?: string) =>
      recorder.store.blocks(sessionID === undefined ? {} : { sessionID }).map(({ block }) => block.id);
    expect(blockIDs()).toEqual(["per_1", "per_2", "per_3"]);
    expect(blockIDs("ses_1")).toEqual(["per_1", "per_3"]);
    expect(blockIDs("ses_4")).toEqual(["per_1"]);
    expect(recorder.store.blocks({ sessionID: "ses_2" })[0]).toMatchObject({
      sessionID: "ses_2",
      messageID: "msg_2",
      partID: "prt_2",
      callID: "call_prt_2",
      tool: "bash",
    });
    const place = { sessionID: "ses_6", messageID: "msg_1", id: "prt_1" };
    recorder.given(make.partUpdated(make.toolPart(place, make.running())));
    expect(blockIDs()).toEqual(["per_2", "per_3"]);
  });

  it("keeps the last list of todos", () => {
    const recorder = family();
    const todos = [{ content: "a", status: "pending", priority: "low" } as const];
    recorder.write([{ type: "todo.updated", properties: { sessionID: "ses_1", todos } }]);
    expect(recorder.store.todos("ses_1")).toEqual(todos);
    recorder.write([{ type: "todo.updated", properties: { sessionID: "ses_1", todos: [] } }]);
    expect(recorder.store.todos("ses_1")).toEqual([]);
    expect(recorder.store.todos("ses_9")).toEqual([]);
  });
});
