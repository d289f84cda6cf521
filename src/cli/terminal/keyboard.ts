import { clearLine, createInterface, cursorTo, type Interface } from "node:readline";
import { safeText } from "./safe-text.js";
import type { Screen } from "./screen.js";

export type Input = NodeJS.ReadableStream & { isTTY?: boolean };
type Take = (line: string | undefined) => void;
interface Question {
  readonly prompt: string;
  readonly take: Take;
}

/**
 * The lines of a person at a terminal, or of a program that writes them beforehand. A question goes before whoever reads
 * line by line, and is answered by what is typed after it was put; lines of a program wait until somebody wants them.
 * While a person types or is asked, the screen stands still.
 */
export class Keyboard {
  readonly isTerminal: boolean;
  /** Hears each line first; what it takes is no answer and no prompt. */
  onCommand: (line: string) => boolean = () => false;
  readonly #input: Input;
  readonly #output: NodeJS.WritableStream;
  readonly #screen: Screen;
  /** What nobody wanted yet. */
  readonly #lines: string[] = [];
  #reader: Interface | undefined;
  #isOver = false;
  #question: Question | undefined;
  #listener: Take | undefined;
  #prompt = "";
  #isPromptShown = false;
  /** What stands in the line, other than the answer to a question. */
  #typed = "";

  constructor(screen: Screen, input: Input = process.stdin, output: NodeJS.WritableStream = process.stderr) {
    this.#screen = screen;
    this.#input = input;
    this.#output = output;
    this.isTerminal = input.isTTY === true;
    screen.beforeWrite = () => this.#hidePrompt();
  }

  /** Begins to read, so that what is typed before a question is known to be no answer to it. */
  open(): void {
    if (this.#reader || this.#isOver) return;
    const reader = createInterface({ input: this.#input, output: this.#output, terminal: this.isTerminal });
    reader.on("line", (line) => this.#take(line));
    reader.on("close", () => this.#end());
    // The terminal hands over single keys: Ctrl-C is one of them.
    reader.on("SIGINT", () => process.emit("SIGINT") || this.close());
    if (this.isTerminal) this.#input.on("keypress", () => this.#watchTyping());
    this.#reader = reader;
  }

  /** Asks one thing; the last line of the query stands before the answer. Undefined: there is no more input, or it was aborted. */
  ask(query: string, signal?: AbortSignal): Promise<string | undefined> {
    const above = safeText(query).split("\n");
    const prompt = above.pop() ?? "";
    const typed = this.#setAside();
    for (const line of above) this.#output.write(`${line}\n`);
    return new Promise((resolve) => {
      const take: Take = (line) => {
        signal?.removeEventListener("abort", giveUp);
        this.#question = undefined;
        this.#screen.release();
        this.#takeUp(typed);
        resolve(line);
      };
      const giveUp = (): void => {
        this.#clear();
        take(undefined);
      };
      signal?.addEventListener("abort", giveUp);
      this.#question = { prompt, take };
      if (signal?.aborted) giveUp();
      else if (!this.#serve(take, !this.isTerminal)) this.#put(prompt);
    });
  }

  /** The next line that answers no question; undefined when there is none any more. */
  next(): Promise<string | undefined> {
    return new Promise((resolve) => {
      const take: Take = (line) => {
        this.#listener = undefined;
        resolve(line);
      };
      this.#listener = take;
      if (!this.#serve(take, true)) this.showPrompt();
    });
  }

  /** What stands before the lines of `next`; nothing does while it is empty. */
  setPrompt(prompt: string): void {
    this.#prompt = prompt;
    this.showPrompt();
  }

  /** Puts the prompt below what was shown last. */
  showPrompt(): void {
    if (!this.isTerminal || !this.#listener || this.#question || this.#typed !== "") return;
    this.#hidePrompt();
    this.#screen.freshLine();
    this.#reader?.setPrompt(this.#prompt);
    if (this.#prompt !== "") this.#draw(this.#prompt);
  }

  close(): void {
    this.#lines.length = 0;
    this.#hidePrompt();
    this.#reader?.close();
    this.#end();
  }

  /** Gives what is there already; false: it is still to come. What a person typed before a question is no answer to it. */
  #serve(take: Take, mayBeOld: boolean): boolean {
    this.open();
    const line = mayBeOld ? this.#oldLine() : undefined;
    if (line === undefined && !this.#isOver) return false;
    take(line);
    return true;
  }

  #oldLine(): string | undefined {
    let line = this.#lines.shift();
    while (line !== undefined && this.onCommand(line)) line = this.#lines.shift();
    return line;
  }

  #take(line: string): void {
    this.#isPromptShown = false;
    this.#typed = "";
    this.#screen.release();
    const take = this.#question?.take ?? this.#listener;
    if (!take) this.#lines.push(line);
    else if (this.onCommand(line)) this.#putAgain();
    else take(line);
  }

  #putAgain(): void {
    if (this.#question) this.#put(this.#question.prompt);
    else this.showPrompt();
  }

  #end(): void {
    this.#isOver = true;
    this.#screen.release();
    this.#question?.take(undefined);
    this.#listener?.(undefined);
  }

  #put(question: string): void {
    if (!this.isTerminal) this.#output.write(`${question}\n`);
    else {
      this.#draw(question);
      this.#screen.hold();
    }
  }

  #draw(prompt: string): void {
    this.#reader?.setPrompt(prompt);
    this.#reader?.prompt(true);
    this.#isPromptShown = true;
  }

  #hidePrompt(): void {
    if (this.#isPromptShown) this.#wipeLine();
  }

  #wipeLine(): void {
    this.#isPromptShown = false;
    cursorTo(this.#output, 0);
    clearLine(this.#output, 0);
  }

  #watchTyping(): void {
    if (this.#question) return;
    const { line = "" } = this.#reader ?? {};
    const begins = this.#typed === "" && line !== "";
    this.#typed = line;
    if (line === "") return this.#screen.release();
    this.#screen.hold();
    if (begins && !this.#isPromptShown) this.#moveDown(line);
  }

  /** The first key was echoed behind a text that streams: what is typed gets a line of its own. */
  #moveDown(line: string): void {
    this.#output.write(`${"\b \b".repeat(line.length)}\n`);
    this.#draw("> ");
  }

  /** A half-written prompt does not become the answer to a question. Returns it. */
  #setAside(): string {
    const typed = this.#typed;
    this.#typed = "";
    if (typed !== "") this.#clear();
    this.#hidePrompt();
    this.#screen.release();
    this.#screen.freshLine();
    return typed;
  }

  #takeUp(typed: string): void {
    this.showPrompt();
    if (typed === "" || this.#isOver) return;
    this.#reader?.write(typed);
    this.#watchTyping();
  }

  #clear(): void {
    if (!this.isTerminal) return;
    this.#reader?.write(null, { ctrl: true, name: "e" });
    this.#reader?.write(null, { ctrl: true, name: "u" });
    this.#wipeLine();
  }
}
