import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Watchdog } from "../../../src/session/watchdog.js";

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

function watch() {
  const silences: number[] = [];
  const dog = new Watchdog(1000, Date.now, () => silences.push(Date.now()));
  return { dog, silences };
}

test("tells of a silence when it has lasted long enough", () => {
  const { dog, silences } = watch();
  dog.start();
  vi.advanceTimersByTime(999);
  expect(silences).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(silences).toEqual([1000]);
});

test("hearing something puts it off, without a timer for each frame", () => {
  const { dog, silences } = watch();
  dog.start();
  vi.advanceTimersByTime(600);
  dog.heard();
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(900);
  expect(silences).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(silences).toEqual([1600]);
});

test("tells nothing once it is stopped", () => {
  const { dog, silences } = watch();
  dog.start();
  dog.stop();
  vi.advanceTimersByTime(5000);
  expect(silences).toEqual([]);
});
