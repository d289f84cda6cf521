import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { FilePart, Part } from "../../../schemas/index.js";
import { Part as PartSchema } from "../../../schemas/index.js";
import { takeLarge } from "../../../src/store/take-large.js";
import { Recorder } from "./recorder.js";
import * as make from "./samples.js";

const LARGE = 100;
const PLACE = { sessionID: "ses_1", messageID: "msg_1", id: "prt_1" };
const LONG = "0123456789".repeat(1000);
const BYTES = randomBytes(300);
const DATA_URL = `data:image/png;base64,${BYTES.toString("base64")}`;
const FILE: FilePart = { ...PLACE, type: "file", mime: "image/png", url: DATA_URL };

function given(...parts: Part[]): Recorder {
  const recorder = new Recorder({ largeChars: LARGE });
  recorder.given(make.created(make.session("ses_1")), make.message(make.assistantMessage("ses_1", "msg_1")));
  recorder.given(...parts.map(make.partUpdated));
  return recorder;
}

/** The reference that a stored part has at a pointer. */
function refAt({ store }: Recorder, pointer: string, partID = PLACE.id): string {
  const part = store.part(partID);
  expect(() => PartSchema.parse(part)).not.toThrow();
  const blobs = part && "blobs" in part ? part.blobs : undefined;
  return blobs?.[pointer]?.ref ?? expect.fail(`nothing is kept apart at ${pointer}`);
}

describe("a large value", () => {
  it("leaves its beginning in its place, and is read back whole", () => {
    const recorder = given(make.toolPart(PLACE, make.completed(LONG)));
    const ref = refAt(recorder, "/state/output");
    expect(refAt(recorder, "/state/metadata/output")).toBe(ref);
    const part = recorder.store.part(PLACE.id) as make.ToolPart;
    expect(part.state).toMatchObject({ output: LONG.slice(0, 4096) });
    expect(part.blobs?.["/state/output"]).toEqual({ ref, bytes: LONG.length, mime: "text/plain" });
    expect(recorder.store.blob(ref)).toMatchObject({ isText: true, data: Buffer.from(LONG) });
  });

  it("is heard only as where it is", () => {
    const recorder = given();
    recorder.write([make.partUpdated(make.toolPart(PLACE, make.completed(LONG)))]);
    recorder.store.flush();
    expect(JSON.stringify(recorder.heard)).not.toContain(LONG);
    expect(JSON.stringify(recorder.changes(undefined))).not.toContain(LONG);
    expect(recorder.heard.at(-1)).toEqual(make.partUpdated(recorder.store.part(PLACE.id) as Part));
  });

  it("is kept as bytes where it is a data URL, in a file as in a tool's attachment", () => {
    const tool = make.toolPart({ ...PLACE, id: "prt_2" }, make.completed("small"));
    const attachments = [{ ...FILE, id: "prt_3" }];
    const recorder = given(FILE, { ...tool, state: { ...tool.state, attachments } as make.ToolPart["state"] });
    const ref = refAt(recorder, "/url");
    expect(recorder.store.part(PLACE.id)).toMatchObject({ url: `blob:${ref}` });
    expect(recorder.store.blob(ref)).toMatchObject({ mime: "image/png", isText: false, data: BYTES });
    expect(refAt(recorder, "/state/attachments/0/url", "prt_2")).toBe(ref);
  });

  it("is stored again without a change heard when the same comes again", () => {
    const recorder = given(FILE);
    recorder.write([make.partUpdated(FILE)]);
    recorder.store.flush();
    expect(recorder.heard).toEqual([]);
  });

  it("stays while any part refers to it, also as a copy, and goes with the last", () => {
    const recorder = given(FILE);
    const ref = refAt(recorder, "/url");
    const stored = recorder.store.part(PLACE.id) as FilePart;
    recorder.given(
      make.created(make.session("ses_2")),
      make.message(make.assistantMessage("ses_2", "msg_2")),
      make.partUpdated({ ...stored, sessionID: "ses_2", messageID: "msg_2", id: "prt_2" }),
    );
    recorder.store.deleteSession("ses_1");
    expect(recorder.store.blob(ref)?.data).toEqual(BYTES);
    recorder.store.deleteSession("ses_2");
    expect(recorder.store.blob(ref)).toBeUndefined();
  });

  it("goes with a part that says something else by then, once something is removed", () => {
    const recorder = given(FILE, { ...FILE, id: "prt_2", url: "data:image/png;base64,AAAA" });
    const ref = refAt(recorder, "/url");
    recorder.given(make.partUpdated({ ...FILE, url: "data:image/png;base64,AAAA" }));
    const properties = { sessionID: "ses_1", messageID: "msg_1", partID: "prt_2" };
    recorder.given({ type: "message.part.removed", properties });
    expect(recorder.store.blob(ref)).toBeUndefined();
  });

  it("is nothing that is kept twice", () => {
    const recorder = given(FILE, { ...FILE, id: "prt_2" });
    expect(refAt(recorder, "/url", "prt_2")).toBe(refAt(recorder, "/url"));
  });

  it("stays whole where deltas append to it, until the tool is done", () => {
    const open = make.toolPart(PLACE, make.running(LONG));
    const recorder = given(open);
    recorder.given(make.delta(open, LONG.length, "more", "state.metadata.output"));
    expect(recorder.errors).toEqual([]);
    expect(recorder.store.part(PLACE.id)).toMatchObject({ state: { metadata: { output: `${LONG}more` } } });
    recorder.given(make.partUpdated(make.toolPart(PLACE, make.completed(`${LONG}more`))));
    expect(recorder.store.blob(refAt(recorder, "/state/output"))?.data.toString()).toBe(`${LONG}more`);
  });
});

describe("takeLarge", () => {
  it("leaves texts and small parts as they are", () => {
    const text = make.textPart(PLACE, LONG);
    const small = make.toolPart(PLACE, make.completed("small"));
    expect(takeLarge(text, LARGE)).toEqual({ part: text, blobs: [] });
    expect(takeLarge(small, LARGE).part).toBe(small);
  });

  it("names a field by a JSON pointer", () => {
    const input = { "a/b": { "c~d": [LONG] } };
    const { part } = takeLarge(make.toolPart(PLACE, { ...make.completed(""), input } as make.ToolPart["state"]), LARGE);
    expect(Object.keys((part as make.ToolPart).blobs ?? {})).toEqual(["/state/input/a~1b/c~0d/0"]);
  });

  it("does not cut a character in two", () => {
    const text = `${"x".repeat(4095)}😀${LONG}`;
    const { part, blobs } = takeLarge(make.toolPart(PLACE, make.completed(text)), LARGE);
    expect((part as make.ToolPart).state).toMatchObject({ output: "x".repeat(4095) });
    expect(blobs[0]?.data.toString()).toBe(text);
  });

  it("does not touch the part it is given", () => {
    const part = make.toolPart(PLACE, make.completed(LONG));
    const before = structuredClone(part);
    takeLarge(part, LARGE);
    expect(part).toEqual(before);
  });
});
