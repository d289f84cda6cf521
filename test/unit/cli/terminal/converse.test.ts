import { PassThrough } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import { converse } from "../../../../src/cli/terminal/converse.js";
import { Keyboard } from "../../../../src/cli/terminal/keyboard.js";
import type { OpenTerminal } from "../../../../src/cli/terminal/open-terminal.js";
import { Screen } from "../../../../src/cli/terminal/screen.js";
import { TurnWatch } from "../../../../src/cli/terminal/turn-watch.js";
import { status } from "../../server/events.js";

const keyboards: Keyboard[] = [];
afterEach(() => {
  for (const keyboard of keyboards.splice(0)) keyboard.close();
});

/** A session that takes down what is asked of it. */
function open(isTTY: boolean, onPrompt: () => Promise<unknown> = async () => {}) {
  const asked: unknown[] = [];
  const session = {
    prompt: (text: string, options?: object) => {
      asked.push(options ? [text, options] : text);
      return onPrompt();
    },
    abort: async () => asked.push("abort"),
  };
  const turns = new TurnWatch("ses_1");
  const terminal = { session, turns, prompt: (text: string) => session.prompt(text) };
  const input = Object.assign(new PassThrough(), { isTTY });
  const keyboard = new Keyboard(new Screen(new PassThrough()), input, new PassThrough());
  keyboards.push(keyboard);
  const note = vi.fn();
  return { asked, turns, input, note, keyboard, open: { terminal, keyboard, note } as unknown as OpenTerminal };
}

test("a person's lines are prompts at once, also while a turn runs; some are commands", async () => {
  const { asked, turns, input, open: terminal } = open(true);
  turns.hear(status("busy"));
  const ended = converse(terminal, { atEnd: "leave" });
  input.write("fix it\r \r/compact\r//abort\r/steer  the other one\r/abort\r/quit\rlate\r");
  expect(await ended).toBe(0);
  const steer = ["the other one", { delivery: "steer" }];
  expect(asked).toEqual(["fix it", "/compact", "/abort", steer, "abort"]);
});

test("a prompt that fails is told to a person, who goes on", async () => {
  const { asked, input, note, open: terminal } = open(true, () => Promise.reject(new Error("busy")));
  const ended = converse(terminal, { atEnd: "leave" });
  input.write("one\r");
  await vi.waitFor(() => expect(note).toHaveBeenCalledWith("agentwire: busy"));
  input.write("two\r");
  await vi.waitFor(() => expect(asked).toEqual(["one", "two"]));
  input.write("\u0004");
  expect(await ended).toBe(0);
});

test("a program's lines are taken when the session is idle, and their end is that of the turn", async () => {
  const { asked, turns, input, open: terminal } = open(false);
  turns.hear(status("busy"));
  const ended = converse(terminal, { atEnd: "wait" });
  input.end("one\ntwo\n");
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toEqual([]);
  turns.hear(status("idle"));
  await vi.waitFor(() => expect(asked).toEqual(["one", "two"]));
  // The turn that was heard said nothing.
  expect(await ended).toBe(7);
});

test("a program's prompt that fails ends the conversation", async () => {
  const { input, open: terminal } = open(false, () => Promise.reject(new Error("no")));
  input.end("one\ntwo\n");
  await expect(converse(terminal, { atEnd: "wait" })).rejects.toThrow("no");
});
