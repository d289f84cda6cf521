import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { KillLadder } from "../../../src/process/kill-ladder.js";

const bounds = { inputEndMs: 20, terminateMs: 50, killMs: 20 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createLadder() {
  const steps: string[] = [];
  const step = (name: string) => () => void steps.push(name);
  const tree = { remember: step("remember"), terminate: step("terminate"), kill: step("kill"), sweep: step("sweep") };
  const ladder = new KillLadder({ tree, closeInput: step("closeInput"), giveUp: step("giveUp") }, bounds);
  return { ladder, steps };
}

const BELOW_TERMINATE = ["remember", "closeInput"];
const BELOW_KILL = [...BELOW_TERMINATE, "remember", "terminate"];

test("end climbs rung by rung, noting the tree before each", () => {
  const { ladder, steps } = createLadder();
  ladder.end();
  expect(steps).toEqual(BELOW_TERMINATE);
  vi.advanceTimersByTime(20);
  expect(steps).toEqual(BELOW_KILL);
  vi.advanceTimersByTime(50);
  expect(steps).toEqual([...BELOW_KILL, "kill"]);
  vi.advanceTimersByTime(20);
  expect(steps).toEqual([...BELOW_KILL, "kill", "giveUp"]);
});

test("kill is at once, also from the middle, and can't be taken back", () => {
  const { ladder, steps } = createLadder();
  ladder.end();
  ladder.kill();
  ladder.end();
  ladder.kill();
  expect(steps).toEqual([...BELOW_TERMINATE, "kill"]);
  vi.advanceTimersByTime(19);
  expect(steps).toEqual([...BELOW_TERMINATE, "kill"]);
});

test("end twice is end once", () => {
  const { ladder, steps } = createLadder();
  ladder.end();
  vi.advanceTimersByTime(15);
  ladder.end();
  vi.advanceTimersByTime(5);
  expect(steps).toEqual(BELOW_KILL);
});

test("an agent that died waits for no bound, and what it left is swept", () => {
  const { ladder, steps } = createLadder();
  ladder.end();
  ladder.childExited();
  ladder.childExited();
  expect(steps).toEqual([...BELOW_TERMINATE, "sweep"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("after an agent's own exit there is nothing to climb", () => {
  const { ladder, steps } = createLadder();
  ladder.childExited();
  ladder.end();
  ladder.kill();
  expect(steps).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
