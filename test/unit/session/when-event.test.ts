import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { WireEvent } from "../../../schemas/index.js";
import type { LiveSession } from "../../../src/session/live-session.js";
import { whenEvent, within } from "../../../src/session/when-event.js";

const deleted = (sessionID: string): WireEvent => ({ type: "session.deleted", properties: { sessionID } });
const isOf = (sessionID: string) => (event: WireEvent) => event.properties.sessionID === sessionID;

/** A session that only tells what it is given to tell. */
function speaker() {
  const listeners = new Set<(event: WireEvent) => void>();
  const live = {
    onWire: (listener: (event: WireEvent) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as LiveSession;
  const tell = (event: WireEvent) => {
    for (const listener of listeners) listener(event);
  };
  return { live, tell, listeners };
}

async function hasHappened(happened: Promise<void>): Promise<boolean> {
  return Promise.race([happened.then(() => true), new Promise<boolean>((resolve) => setImmediate(resolve, false))]);
}

describe("an expected event", () => {
  test("is the first that matches, and nothing is heard after it", async () => {
    const { live, tell, listeners } = speaker();
    const matches = vi.fn(isOf("b"));
    const { happened } = whenEvent(live, matches);
    for (const sessionID of ["a", "b", "c"]) tell(deleted(sessionID));
    expect(await hasHappened(happened)).toBe(true);
    expect(matches.mock.calls).toEqual([[deleted("a")], [deleted("b")]]);
    expect(listeners.size).toBe(0);
  });

  test("is still waited for while none matches", async () => {
    const { live, tell, listeners } = speaker();
    const { happened } = whenEvent(live, isOf("b"));
    tell(deleted("a"));
    expect(await hasHappened(happened)).toBe(false);
    expect(listeners.size).toBe(1);
  });

  test("is not one from before", async () => {
    const { live, tell } = speaker();
    tell(deleted("a"));
    expect(await hasHappened(whenEvent(live, isOf("a")).happened)).toBe(false);
  });

  test("does not come once nobody waits any more", async () => {
    const { live, tell, listeners } = speaker();
    const expected = whenEvent(live, isOf("a"));
    expected.stop();
    expect(listeners.size).toBe(0);
    tell(deleted("a"));
    expect(await hasHappened(expected.happened)).toBe(false);
  });

  test("that has come stays, also when nobody waits any more", async () => {
    const { live, tell } = speaker();
    const expected = whenEvent(live, isOf("a"));
    tell(deleted("a"));
    expected.stop();
    expected.stop();
    expect(await hasHappened(expected.happened)).toBe(true);
  });

  test("is each waiter's own", async () => {
    const { live, tell, listeners } = speaker();
    const [first, second] = [whenEvent(live, isOf("a")), whenEvent(live, isOf("b"))];
    tell(deleted("a"));
    expect(await Promise.all([first, second].map(({ happened }) => hasHappened(happened)))).toEqual([true, false]);
    expect(listeners.size).toBe(1);
  });
});

describe("within a time", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const never = new Promise<void>(() => undefined);

  test.each([
    ["what has happened", Promise.resolve(), true],
    ["what never happens", never, false],
  ])("%s", async (_, happened, expected) => {
    const waited = within(1000, happened);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await waited).toBe(expected);
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([
    ["just before the end", 999, true],
    ["just after it", 1001, false],
  ])("what happens %s", async (_, ms, expected) => {
    const waited = within(1000, new Promise((resolve) => setTimeout(resolve, ms)));
    await vi.advanceTimersByTimeAsync(2000);
    expect(await waited).toBe(expected);
  });

  test("it is not waited longer than for what happens", async () => {
    await expect(within(1000, Promise.resolve())).resolves.toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a failure is passed on, and no timer stays", async () => {
    await expect(within(1000, Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(vi.getTimerCount()).toBe(0);
  });
});
