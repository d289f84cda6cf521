import { describe, expect, test } from "vitest";
import { type Mail, Mailbox } from "../../../src/session/mailbox.js";

const wake = (timer: string): Mail => ({ input: { at: 0, kind: "wake", timer } });

function open() {
  const taken: string[] = [];
  const mailbox = new Mailbox(
    ({ input }) => taken.push(input.kind === "wake" ? input.timer : ""),
    (error) => {
      throw error;
    },
  );
  return { mailbox, taken };
}

describe("while something is awaited", () => {
  test("what comes waits for it, and keeps its order", () => {
    const { mailbox, taken } = open();
    const arrive = mailbox.await();
    mailbox.post(wake("one"));
    mailbox.post(wake("two"));
    expect([taken, mailbox.size]).toEqual([[], 2]);
    arrive(wake("awaited"));
    expect([taken, mailbox.size]).toEqual([["awaited", "one", "two"], 0]);
  });

  test("a command is taken at once", () => {
    const { mailbox, taken } = open();
    const arrive = mailbox.await();
    mailbox.post(wake("one"));
    mailbox.takeNow(wake("command"));
    arrive(wake("awaited"));
    expect(taken).toEqual(["command", "awaited", "one"]);
  });

  test("all of it must have come before the rest", () => {
    const { mailbox, taken } = open();
    const arrivals = [mailbox.await(), mailbox.await()];
    mailbox.post(wake("rest"));
    arrivals[1]?.(wake("second"));
    expect(taken).toEqual(["second"]);
    arrivals[0]?.(wake("first"));
    expect(taken).toEqual(["second", "first", "rest"]);
  });

  test("what was forgotten does not come any more, and holds up nothing", () => {
    const { mailbox, taken } = open();
    const arrive = mailbox.await();
    mailbox.post(wake("old"));
    mailbox.clear();
    mailbox.post(wake("new"));
    arrive(wake("awaited"));
    expect(taken).toEqual(["new"]);
  });
});
