import type { OpenTerminal } from "./open-terminal.js";
import type { SessionTerminal } from "./session-terminal.js";

/** What a line asks for; whatever is not one of these words is for the agent. */
type Line = { kind: "prompt" | "steer"; text: string } | { kind: "abort" | "quit" | "nothing" };

export interface ConverseOptions {
  /** What the end of the input means for a turn that runs: it is left alone, or watched to its end. */
  readonly atEnd: "leave" | "wait";
}

/**
 * Takes lines as prompts until there are none any more. A person's is sent at once and waits for the running turn; a
 * program's is taken when the session is idle. Resolves with the exit code.
 */
export async function converse(open: OpenTerminal, { atEnd }: ConverseOptions): Promise<number> {
  const { terminal, keyboard, note } = open;
  for (;;) {
    if (!keyboard.isTerminal) await terminal.turns.untilIdle();
    const text = await keyboard.next();
    if (text === undefined) break;
    const line = readLine(text);
    if (line.kind === "quit") return 0;
    try {
      await obey(line, terminal, keyboard.isTerminal);
    } catch (error) {
      if (!keyboard.isTerminal) throw error;
      note(`agentwire: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (atEnd === "leave") return 0;
  await terminal.turns.untilIdle();
  return terminal.turns.exitCode;
}

function readLine(line: string): Line {
  const text = line.trim();
  if (text === "") return { kind: "nothing" };
  if (text === "/abort") return { kind: "abort" };
  if (text === "/quit") return { kind: "quit" };
  if (text.startsWith("/steer ")) return { kind: "steer", text: text.slice("/steer ".length).trim() };
  return { kind: "prompt", text: text.startsWith("//") ? text.slice(1) : line };
}

async function obey(line: Line, terminal: SessionTerminal, isPerson: boolean): Promise<void> {
  const { session } = terminal;
  switch (line.kind) {
    case "nothing":
    case "quit":
      return;
    case "abort":
      await session.abort();
      return;
    case "steer":
      await session.prompt(line.text, { delivery: "steer" });
      return;
    case "prompt":
      if (isPerson) await session.prompt(line.text);
      else await terminal.prompt(line.text);
  }
}
