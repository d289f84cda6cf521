import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Part } from "../../../schemas/index.js";
import { openStore } from "../../../src/store/open-store.js";
import { checkpoint, Recorder } from "./recorder.js";
import * as make from "./samples.js";

const { events, part } = make.conversation();
let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "agentwire-store-"));
  path = join(directory, "wire.db");
});
afterEach(() => rmSync(directory, { recursive: true }));

/** What a gateway that is killed now would find when it is started again. */
function afterCrash(): { part: Part | undefined; seq: number | undefined } {
  const copy = join(directory, "copy.db");
  for (const suffix of ["", "-wal"]) if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix);
  const store = openStore({ path: copy });
  const found = { part: store.part("prt_1"), seq: store.checkpoint("ses_1")?.seq };
  store.close();
  return found;
}

const textAfterCrash = () => (afterCrash().part as { text?: string } | undefined)?.text;

describe("the text of deltas", () => {
  it("is written when 250 ms have passed, and then no timer is left", () => {
    const { clock, write } = started();
    write("one");
    expect(textAfterCrash()).toBe("");
    clock.advance(249);
    expect(textAfterCrash()).toBe("");
    clock.advance(1);
    expect(textAfterCrash()).toBe("one");
    expect(clock.timers).toBe(0);
  });

  it("is written with a group that is committed anyway, at most every 250 ms", () => {
    const { recorder, clock, write } = started();
    write("one");
    recorder.given(make.message(make.userMessage("ses_1", "msg_2")));
    expect(textAfterCrash()).toBe("");
    clock.advance(200);
    write(" two");
    clock.advance(50);
    expect(textAfterCrash()).toBe("one two");
    write(" three");
    clock.advance(100);
    recorder.given(make.message(make.userMessage("ses_1", "msg_3")));
    expect(textAfterCrash()).toBe("one two");
    clock.advance(150);
    clock.advance(5);
    expect(textAfterCrash()).toBe("one two three");
  });

  it("is written less often the longer it is", () => {
    const { clock, write } = started();
    write("x".repeat(100_000));
    clock.advance(250);
    write("y");
    clock.advance(250);
    expect(textAfterCrash()).toHaveLength(100_000);
    clock.advance(250);
    expect(textAfterCrash()).toHaveLength(100_000);
    clock.advance(250);
    clock.advance(5);
    expect(textAfterCrash()).toHaveLength(100_001);
  });

  it("is written whole when its part ends, and when the store is closed", () => {
    const { recorder, write } = started();
    write("one");
    recorder.given(make.partUpdated({ ...part, text: "one.", time: { start: 1, end: 2 } }));
    expect(textAfterCrash()).toBe("one.");
    recorder.given(make.partUpdated({ ...part, text: "" }));
    recorder.write([make.delta(part, 0, "again")]);
    recorder.store.close();
    expect(textAfterCrash()).toBe("again");
  });

  it("goes on after a restart", () => {
    const { recorder, write } = started();
    write("one");
    recorder.store.close();
    const again = new Recorder({ path });
    again.write([make.delta(part, 3, " two")]);
    expect(again.store.part("prt_1")).toEqual({ ...part, text: "one two" });
    again.store.close();
  });
});

describe("a checkpoint", () => {
  it("is stored with the events it came with, and with the text before it", () => {
    const { recorder, write } = started();
    write("one");
    recorder.write([make.message(make.userMessage("ses_1", "msg_2"))], checkpoint(7));
    recorder.clock.endTick();
    expect(afterCrash()).toEqual({ part: { ...part, text: "one" }, seq: 7 });
  });

  it("of nothing but text waits for the text to be written", () => {
    const { recorder, clock } = started();
    recorder.write([make.delta(part, 0, "one")], checkpoint(7));
    clock.endTick();
    expect(afterCrash()).toEqual({ part, seq: undefined });
    expect(recorder.store.checkpoint("ses_1")).toEqual(checkpoint(7));
    clock.advance(250);
    expect(afterCrash()).toEqual({ part: { ...part, text: "one" }, seq: 7 });
  });

  it("of one session is not stored ahead of its text with the events of another", () => {
    const { recorder } = started();
    recorder.write([make.delta(part, 0, "one")], checkpoint(7));
    recorder.write(make.conversation("ses_2").events, checkpoint(3), "ses_2");
    recorder.clock.endTick();
    expect(afterCrash()).toEqual({ part, seq: undefined });
    expect(recorder.store.checkpoint("ses_2")?.seq).toBe(3);
  });

  it("is stored by flush, with its text", () => {
    const { recorder } = started();
    recorder.write([make.delta(part, 0, "one")], checkpoint(7));
    recorder.write([], checkpoint(8));
    recorder.store.flush();
    expect(afterCrash()).toEqual({ part: { ...part, text: "one" }, seq: 8 });
  });

  it("of an unknown session is not stored", () => {
    const { recorder } = started();
    recorder.write([], checkpoint(1), "ses_9");
    recorder.store.flush();
    expect(recorder.store.checkpoint("ses_9")).toBeUndefined();
  });
});

function started() {
  const recorder = new Recorder({ path });
  recorder.given(...events);
  let length = 0;
  const write = (text: string) => {
    recorder.write([make.delta(part, length, text)]);
    length += text.length;
    recorder.clock.endTick();
  };
  return { recorder, clock: recorder.clock, write };
}
