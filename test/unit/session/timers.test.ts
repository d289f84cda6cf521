import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Timers } from "../../../src/session/timers.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createTimers() {
  const fired: string[] = [];
  return { fired, timers: new Timers((timer) => void fired.push(timer)) };
}

test("each timer fires once, by its name, when its time has come", () => {
  const { fired, timers } = createTimers();
  timers.set("b", 20);
  timers.set("a", 10);
  vi.advanceTimersByTime(9);
  expect(fired).toEqual([]);
  vi.advanceTimersByTime(1000);
  expect(fired).toEqual(["a", "b"]);
});

test("a later one with the same name takes the place of the first", () => {
  const { fired, timers } = createTimers();
  timers.set("a", 10);
  vi.advanceTimersByTime(9);
  timers.set("a", 10);
  vi.advanceTimersByTime(9);
  expect(fired).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(fired).toEqual(["a"]);
});

test("null takes one back; one that is not there is no trouble", () => {
  const { fired, timers } = createTimers();
  timers.set("a", 10);
  timers.set("b", 10);
  timers.set("a", null);
  timers.set("never", null);
  vi.advanceTimersByTime(100);
  expect(fired).toEqual(["b"]);
});

test("clearing takes back all, and new ones may be set after it", () => {
  const { fired, timers } = createTimers();
  timers.set("a", 10);
  timers.clear();
  timers.set("b", 10);
  vi.advanceTimersByTime(100);
  expect(fired).toEqual(["b"]);
});

test("a timer may set itself again when it fires", () => {
  const fired: string[] = [];
  const timers: Timers = new Timers((timer) => {
    fired.push(timer);
    if (fired.length < 3) timers.set(timer, 5);
  });
  timers.set("a", 5);
  vi.advanceTimersByTime(100);
  expect(fired).toEqual(["a", "a", "a"]);
});
