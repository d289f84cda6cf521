import { AgentwireError } from "../../client/index.js";
import type { OpenTerminal } from "./open-terminal.js";

export interface ConverseOptions {
  /** What the end of the input means for a turn that runs: it is left alone, or watched to its end. */
  readonly atEnd: "leave" | "wait";
}

/**
 * Takes lines as prompts, and a few as commands, until there are none any more. A person's prompt is sent at once and waits
 * for the running turn; a program's is taken when the session is idle. Resolves with the exit code.
 */
export function converse(open: OpenTerminal, options: ConverseOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const tell = (error: unknown): void => {
      if (error instanceof AgentwireError && error.kind === "closed") return;
      if (open.keyboard.isTerminal) open.note(`agentwire: ${error instanceof Error ? error.message : String(error)}`);
      else reject(error);
    };
    const obey = commandsOf(open, () => {
      resolve(0);
      open.keyboard.close();
    });
    open.keyboard.onCommand = (line) => {
      const obeyed = obey(line.trim());
      obeyed?.catch(tell);
      return obeyed !== undefined;
    };
    readPrompts(open, options, tell).then(resolve, reject);
  });
}

/** Undefined: the line is no command. Others that begin with a slash are for the agent. */
function commandsOf({ terminal: { session } }: OpenTerminal, quit: () => void) {
  return (line: string): Promise<unknown> | undefined => {
    if (line === "/quit") return Promise.resolve(quit());
    if (line === "/abort") return session.abort();
    const steer = /^\/steer\s+(.+)$/s.exec(line)?.[1];
    return steer === undefined ? undefined : session.prompt(steer, { delivery: "steer" });
  };
}

async function readPrompts(
  { terminal, keyboard }: OpenTerminal,
  { atEnd }: ConverseOptions,
  tell: (error: unknown) => void,
): Promise<number> {
  const { session, turns } = terminal;
  const send = (text: string) => (keyboard.isTerminal ? session.prompt(text) : terminal.prompt(text));
  for (;;) {
    if (!keyboard.isTerminal) await turns.untilIdle();
    const line = await keyboard.next();
    if (line === undefined) break;
    if (line.trim() !== "") await send(line.startsWith("//") ? line.slice(1) : line).catch(tell);
  }
  if (atEnd === "leave") return 0;
  await turns.untilIdle();
  return turns.exitCode;
}
