import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ExportLine, type WireEvent } from "../../../schemas/index.js";
import { jsonLines, listTraces, readExpected } from "../../../src/conformance/trace.js";
import { checkDatabase } from "../../../src/store/check/check-database.js";
import { openStore } from "../../../src/store/open-store.js";
import { EMPTY_STATE, finalDocument, reduce } from "../../../src/store/reduce.js";
import type { Store } from "../../../src/store/store.js";
import { refusal } from "../refusal.js";
import { legalEvents } from "./legal-events.js";
import { OLD, writeOldDatabase } from "./old-databases.js";
import * as make from "./samples.js";
import { exportAll, importAll } from "./transfer.js";

let folder: string;
let source: string;
let target: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-transfer-"));
  source = join(folder, "source.db");
  target = join(folder, "target.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

function stored<T>(path: string, use: (store: Store) => T, largeChars?: number): T {
  const store = openStore({ path, onError: () => {}, ...(largeChars !== undefined && { largeChars }) });
  try {
    return use(store);
  } finally {
    store.close();
  }
}

/** Writes events to the source as gateways do, with a checkpoint of each root session. */
function given(events: readonly WireEvent[], largeChars?: number): void {
  stored(
    source,
    (store) => {
      store.write({ sessionID: "ses_0", events });
      store.flush();
      for (const { id } of store.sessions({ limit: 100 })) {
        store.write({ sessionID: id, events: [], checkpoint: { state: { of: id }, epoch: 2, seq: 3, pending: {} } });
      }
    },
    largeChars,
  );
}

/** What a client has that starts from nothing. */
function snapshot(path: string) {
  return stored(path, (store) => {
    const { events } = store.changesAfter(undefined, {}, 1e9);
    return jsonLines(finalDocument(events.map(({ event }) => event).reduce(reduce, EMPTY_STATE)).sessions);
  });
}

/** What a client is sent that starts from nothing, in no order. An empty list of todos is none. */
function rowsOf(path: string): string {
  const rows = stored(path, (store) => store.changesAfter(undefined, {}, 1e9).events.map(({ event }) => event));
  return jsonLines(
    rows
      .map((event) => JSON.stringify(event))
      .filter((row) => !row.endsWith('"todos":[]}}'))
      .sort(),
  );
}

/** All but the header, as text: lists as long as these are compared faster so. */
const body = (lines: readonly ExportLine[]) => jsonLines(lines.slice(1));

const LONG = "long ".repeat(20);

/** Two root sessions; the first with a child, todos, and a blob that two parts share. */
function family(): WireEvent[] {
  const tool = (id: string) =>
    make.partUpdated(make.toolPart({ sessionID: "ses_1", messageID: "msg_1", id }, make.completed(LONG)));
  return [
    ...make.conversation("ses_1").events,
    tool("prt_1a"),
    tool("prt_1b"),
    { type: "todo.updated", properties: { sessionID: "ses_1", todos: OLD.todos } },
    make.created(make.session("ses_1c", { parentID: "ses_1" })),
    make.message(make.userMessage("ses_1c", "msg_1c")),
    ...make.conversation("ses_2").events,
  ];
}

describe("an export", () => {
  test("is lines by their schema: a root, its checkpoint and blobs, its messages with their parts, its children", () => {
    given(family(), 50);
    const lines = exportAll(source);
    for (const line of lines) expect(ExportLine.parse(line)).toEqual(line);
    expect(lines.map(nameOf)).toEqual([
      "export agentwire 1 1.2.3 4",
      ...["session ses_1", "checkpoint ses_1", "blob utf8", "todos ses_1", "message msg_1"],
      ...["part prt_1", "part prt_1a", "part prt_1b", "session ses_1c", "message msg_1c"],
      ...["session ses_2", "checkpoint ses_2", "message msg_2", "part prt_2"],
      "end 15",
    ]);
    expect(lines[3]).toMatchObject({ type: "blob", mime: "text/plain", data: LONG });
    expect(exportAll(source)).toEqual(lines);
  });

  test("may be of some sessions only", () => {
    given(family());
    expect(exportAll(source, ["ses_2", "ses_2"]).map(nameOf)).toEqual([
      ...["export agentwire 1 1.2.3 4", "session ses_2", "checkpoint ses_2", "message msg_2", "part prt_2", "end 5"],
    ]);
    expect(refusal(() => exportAll(source, ["ses_9"])).kind).toBe("not_found");
    expect(refusal(() => exportAll(source, ["ses_1c"]))).toMatchObject({
      kind: "not_supported",
      detail: { hint: "Export ses_1." },
    });
  });

  test("does not tell what was under way when it was made", () => {
    given(family());
    expect(exportAll(source)[2]).toEqual({
      ...{ type: "checkpoint", sessionID: "ses_1", epoch: 2, seq: 3, state: { of: "ses_1" } },
    });
  });

  test.each([1, 2, 3])("is made of a database of schema version %i, which stays as it is", (version) => {
    writeOldDatabase(source, version);
    const before = readFileSync(source);
    importAll(target, exportAll(source));
    expect(readFileSync(source).equals(before)).toBe(true);
    expect(snapshot(target)).toBe(snapshot(source));
  });

  test("of a database that a gateway has open is refused", () => {
    const store = openStore({ path: source });
    expect(refusal(() => exportAll(source))).toMatchObject({
      kind: "storage",
      message: expect.stringMatching(/in use by another process/),
    });
    store.close();
  });

  test("of a database that is not there is refused, and makes none", () => {
    expect(refusal(() => exportAll(source)).kind).toBe("not_found");
    expect(existsSync(source)).toBe(false);
  });
});

describe("an import", () => {
  test("of any export gives the same sessions, from which the same is exported", () => {
    fc.assert(
      fc.property(legalEvents, fc.constantFrom(3, 1000), (events, largeChars) => {
        given(events, largeChars);
        const lines = exportAll(source);
        importAll(target, lines);
        expect(body(exportAll(target))).toBe(body(lines));
        expect(snapshot(target)).toBe(snapshot(source));
        expect(checkDatabase({ path: target }).problems).toEqual(checkDatabase({ path: source }).problems);
        for (const path of [source, target]) rmSync(path);
      }),
      { numRuns: Number(process.env.LAW_RUNS ?? 25), seed: 20_251_130 },
    );
  });

  test("of what every golden trace comes to gives it again, and nothing is wrong with it", () => {
    const traces = listTraces("golden-traces").map((trace) => readExpected(trace).wire);
    expect(traces.length).toBeGreaterThan(100);
    stored(source, (store) => {
      for (const wire of traces) {
        const events = wire
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line) as WireEvent);
        store.write({ sessionID: events[0]?.properties.sessionID ?? "", events });
        store.flush();
      }
    });
    const lines = exportAll(source);
    for (const line of lines) expect(ExportLine.safeParse(line).error).toBeUndefined();
    importAll(target, lines);
    expect(body(exportAll(target))).toBe(body(lines));
    expect(rowsOf(target)).toBe(rowsOf(source));
    expect(checkDatabase({ path: target }).problems).toEqual([]);
  });

  test("goes on behind what is there already, for who was away too", () => {
    given(family());
    const lines = exportAll(source);
    const cursor = stored(target, (store) => {
      store.write({ sessionID: "ses_3", events: make.conversation("ses_3").events });
      store.flush();
      return store.cursor;
    });
    expect(importAll(target, lines)).toEqual(["ses_1 imported", "ses_2 imported"]);
    stored(target, (store) => {
      const { events } = store.changesAfter(cursor, {}, 1e9);
      const sessions = events.flatMap(({ event }) =>
        event.type === "session.updated" ? [event.properties.info.id] : [],
      );
      expect(sessions).toEqual(["ses_1", "ses_1c", "ses_2"]);
      expect(store.sessions({ limit: 9 })).toHaveLength(3);
    });
  });

  test("keeps nothing of what was under way: a session that was not idle is one whose process is gone", () => {
    given([...family(), { type: "session.status", properties: { sessionID: "ses_1", status: { type: "busy" } } }]);
    importAll(target, exportAll(source));
    stored(target, (store) => {
      expect(store.unfinished().map(({ id }) => id)).toEqual(["ses_1"]);
      expect(store.checkpoint("ses_1")).toEqual({ state: { of: "ses_1" }, epoch: 2, seq: 3 });
    });
  });

  test("never writes over a session that is there", () => {
    given(family());
    const lines = exportAll(source);
    importAll(target, exportAll(source, ["ses_2"]));
    stored(target, (store) => {
      store.write({ sessionID: "ses_2", events: [make.updated(make.session("ses_2", { title: "mine" }))] });
    });
    const refused = refusal(() => importAll(target, lines));
    expect(refused).toMatchObject({ kind: "conflict", message: expect.stringMatching(/ses_2 exists already/) });
    expect(refused.detail.hint).toMatch(/--skip-existing/);
    expect(importAll(target, lines, { skipExisting: true })).toEqual(["ses_1 skipped", "ses_2 skipped"]);
    stored(target, (store) => {
      expect(store.session("ses_2")?.title).toBe("mine");
      expect(store.children("ses_1")).toHaveLength(1);
    });
    expect(exportAll(target).filter(({ type }) => type === "session")).toHaveLength(3);
  });

  test.each<[string, (lines: ExportLine[]) => ExportLine[], string, RegExp]>([
    ["without a header", (lines) => lines.slice(1), "invalid_params", /first line is not the header/],
    [
      "of a newer version",
      ([head, ...rest]) => [{ ...head, version: 2 } as never, ...rest],
      "not_supported",
      /version 2/,
    ],
    ["with a part before its message", (lines) => swap(lines, 5, 6), "invalid_params", /no message msg_1 of ses_1/],
    ["with a message of another session", (lines) => swap(lines, 5, 13), "invalid_params", /no session ses_2 below/],
    [
      "with a blob that is not there",
      (lines) => lines.filter(({ type }) => type !== "blob"),
      "invalid_params",
      /no blob/,
    ],
    ["with another blob than it says", tamper, "invalid_params", /is not what its ref says/],
    ["with a checkpoint of another", (lines) => swap(lines, 2, 12), "invalid_params", /no root session ses_2/],
    ["with an id twice", (lines) => lines.toSpliced(7, 0, lines[6] as never), "conflict", /part.id must be new: prt_1/],
    ["without a line", (lines) => lines.toSpliced(12, 1), "invalid_params", /had 15 lines when it was made, and 14/],
    ["that is cut off", (lines) => lines.slice(0, -1), "invalid_params", /its end is missing after line 15/],
    ["that goes on after its end", (lines) => [...lines, ...lines], "invalid_params", /more after the end/],
    ["within another", (lines) => lines.toSpliced(1, 0, lines[0] as never), "invalid_params", /second export/],
    ["of no session", (lines) => lines.toSpliced(1, 1), "invalid_params", /checkpoint is before any session/],
  ])("%s is refused, and nothing of that session is stored", (_, spoil, kind, message) => {
    given(family(), 50);
    const lines = spoil(exportAll(source));
    expect(refusal(() => importAll(target, lines))).toMatchObject({ kind, message: expect.stringMatching(message) });
    // The sessions before it are whole, and it can be tried again.
    for (const { id } of stored(target, (store) => store.sessions({ limit: 9 }))) {
      expect(body(exportAll(target, [id]))).toBe(body(exportAll(source, [id])));
    }
    importAll(target, exportAll(source), { skipExisting: true });
    expect(body(exportAll(target))).toBe(body(exportAll(source)));
  });
});

function nameOf(line: ExportLine): string {
  switch (line.type) {
    case "export":
      return `export ${line.format} ${line.version} ${line.agentwire} ${line.exportedAt}`;
    case "session":
      return `session ${line.session.id}`;
    case "message":
      return `message ${line.message.id}`;
    case "part":
      return `part ${line.part.id}`;
    case "blob":
      return `blob ${line.encoding}`;
    case "end":
      return `end ${line.lines}`;
    default:
      return `${line.type} ${line.sessionID}`;
  }
}

function swap(lines: ExportLine[], a: number, b: number): ExportLine[] {
  return lines.with(a, lines[b] as ExportLine).with(b, lines[a] as ExportLine);
}

function tamper(lines: ExportLine[]): ExportLine[] {
  return lines.map((line) => (line.type === "blob" ? { ...line, data: `${line.data}!` } : line));
}
