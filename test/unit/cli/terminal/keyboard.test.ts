import { PassThrough } from "node:stream";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Keyboard } from "../../../../src/cli/terminal/keyboard.js";
import { Screen } from "../../../../src/cli/terminal/screen.js";

const keyboards: Keyboard[] = [];
afterEach(() => {
  for (const keyboard of keyboards.splice(0)) keyboard.close();
});

/** A screen, the talk beside it, and a keyboard that the test types on. */
function open({ isTTY }: { isTTY: boolean }) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const [out, talk] = [new PassThrough(), new PassThrough()];
  const screen = new Screen(out);
  const keyboard = new Keyboard(screen, input, talk);
  keyboards.push(keyboard);
  const read = (stream: PassThrough) => String(stream.read() ?? "");
  return { screen, keyboard, input, shown: () => read(out), talk: () => read(talk) };
}

/** Until what was typed has been read. */
const settled = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe("the lines of a program", () => {
  test("wait until somebody wants them, and then there are no more", async () => {
    const { keyboard, input } = open({ isTTY: false });
    input.end("one\ntwo\nthree\n");
    expect(await keyboard.next()).toBe("one");
    await settled();
    expect(await keyboard.ask("Two? ")).toBe("two");
    expect(await keyboard.next()).toBe("three");
    expect(await keyboard.next()).toBeUndefined();
    expect(await keyboard.ask("More? ")).toBeUndefined();
  });

  test("go to a question before they go to who reads on", async () => {
    const { keyboard, input, talk } = open({ isTTY: false });
    const line = keyboard.next();
    const answer = keyboard.ask("Which?\n  1. red\u001b[2J\nnumber: ");
    expect(talk()).toBe("Which?\n  1. red\nnumber: \n");
    input.write("1\ngo on\n");
    expect(await answer).toBe("1");
    expect(await line).toBe("go on");
  });

  test("may be commands, which act in their turn", async () => {
    const { keyboard, input } = open({ isTTY: false });
    const commands: string[] = [];
    keyboard.onCommand = (line) => line.startsWith("/") && commands.push(line) > 0;
    input.end("one\n/do\ntwo\n");
    expect(await keyboard.next()).toBe("one");
    await settled();
    expect(commands).toEqual([]);
    expect(await keyboard.next()).toBe("two");
    expect(commands).toEqual(["/do"]);
  });
});

describe("the lines of a person", () => {
  test("are read behind a prompt, which makes room for what is shown", async () => {
    const { keyboard, screen, input, talk, shown } = open({ isTTY: true });
    keyboard.setPrompt("> ");
    const line = keyboard.next();
    expect(talk()).toContain("> ");
    screen.line("news");
    expect(talk()).toContain("\u001b[2K");
    expect(shown()).toBe("news\n");
    keyboard.showPrompt();
    input.write("fix it\r");
    expect(await line).toBe("fix it");
  });

  test("hold what is shown while they are typed", async () => {
    const { keyboard, screen, input, shown } = open({ isTTY: true });
    const line = keyboard.next();
    input.write("fix");
    await settled();
    screen.line("news");
    expect(shown()).toBe("");
    input.write("\u007f\u007f\u007f");
    await settled();
    expect(shown()).toBe("news\n");
    input.write("yes");
    await settled();
    screen.line("more");
    input.write("\r");
    expect(await line).toBe("yes");
    expect(shown()).toBe("more\n");
  });

  test("that are half typed do not answer a question, and are there again after it", async () => {
    const { keyboard, input } = open({ isTTY: true });
    const line = keyboard.next();
    input.write("yes");
    await settled();
    const answer = keyboard.ask("Allow? ");
    input.write("n\r");
    expect(await answer).toBe("n");
    input.write(", do it\r");
    expect(await line).toBe("yes, do it");
  });

  test("do not answer what was not asked yet", async () => {
    const { keyboard, input } = open({ isTTY: true });
    keyboard.open();
    input.write("early\r");
    await settled();
    const first = keyboard.ask("First? ");
    input.write("1\rahead\r");
    expect(await first).toBe("1");
    await settled();
    const second = keyboard.ask("Second? ");
    input.write("2\r");
    expect(await second).toBe("2");
    expect([await keyboard.next(), await keyboard.next()]).toEqual(["early", "ahead"]);
  });

  test("are waited for no more when the question was answered elsewhere; the screen goes on", async () => {
    const { keyboard, screen, talk, shown } = open({ isTTY: true });
    const decided = new AbortController();
    const answer = keyboard.ask("Allow? ", decided.signal);
    screen.line("news");
    expect(shown()).toBe("");
    talk();
    decided.abort();
    expect(await answer).toBeUndefined();
    expect(talk()).toContain("\u001b[2K");
    expect(shown()).toBe("news\n");
    expect(await keyboard.ask("Again? ", decided.signal)).toBeUndefined();
  });

  test("may be commands, also while something is asked, which is then asked again", async () => {
    const { keyboard, input, talk } = open({ isTTY: true });
    const commands: string[] = [];
    keyboard.onCommand = (line) => line.startsWith("/") && commands.push(line) > 0;
    const answer = keyboard.ask("Allow? ");
    input.write("/abort\r");
    await settled();
    expect(commands).toEqual(["/abort"]);
    expect(talk().match(/Allow\? /g)?.length).toBeGreaterThan(1);
    input.write("y\r");
    expect(await answer).toBe("y");
  });

  test("end with Ctrl-D; Ctrl-C is the signal, or ends them where nobody hears it", async () => {
    const { keyboard, input } = open({ isTTY: true });
    const onSignal = vi.fn();
    process.once("SIGINT", onSignal);
    const line = keyboard.next();
    input.write("\u0003");
    await settled();
    expect(onSignal).toHaveBeenCalledTimes(1);
    input.write("\u0004");
    expect(await line).toBeUndefined();

    const other = open({ isTTY: true });
    const answer = other.keyboard.ask("Allow? ");
    const others = process.rawListeners("SIGINT") as (() => void)[];
    process.removeAllListeners("SIGINT");
    other.input.write("\u0003");
    expect(await answer).toBeUndefined();
    for (const listener of others) process.on("SIGINT", listener);
  });
});
