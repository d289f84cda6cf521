import type { Decision, WireEvent } from "../../../schemas/index.js";
import type { Client } from "../../client/index.js";
import { BlockAnswerer } from "./block-answerer.js";
import { Keyboard } from "./keyboard.js";
import { safeText } from "./safe-text.js";
import { Screen } from "./screen.js";
import { SessionTerminal } from "./session-terminal.js";
import { TerminalView } from "./terminal-view.js";

export type OnAsk = "ask" | "leave" | Decision;

export interface TerminalOptions {
  readonly client: Client;
  readonly sessionID: string;
  /** Wire events, one a line, in place of what a person reads. */
  readonly json: boolean;
  /** What is done with what waits: it is asked for at the keyboard, left to others, or decided at once. */
  readonly onAsk: OnAsk;
  /** Whether no other client can reach the gateway. */
  readonly isAlone: boolean;
  readonly recent?: number;
  readonly out?: NodeJS.WritableStream & { isTTY?: boolean };
}

export interface OpenTerminal {
  readonly terminal: SessionTerminal;
  readonly keyboard: Keyboard;
  /** Tells the person something that is not of the session. */
  readonly note: (text: string) => void;
}

/** Puts together what shows a session on a terminal and answers what waits in it. */
export function openTerminal(options: TerminalOptions): OpenTerminal {
  const { client, sessionID, json, onAsk, isAlone, recent, out = process.stdout } = options;
  const screen = new Screen(out);
  const keyboard = new Keyboard(screen);
  // Nothing stands between what a turn says.
  const setPrompt = (isIdle: boolean): void => keyboard.setPrompt(isIdle ? "> " : "");
  setPrompt(true);
  if (onAsk === "ask" && keyboard.isTerminal) keyboard.open();
  const note = (text: string): void => {
    if (!json && out.isTTY) screen.line(text);
    else process.stderr.write(`${safeText(text)}\n`);
    keyboard.showPrompt();
  };
  const answerer = new BlockAnswerer({
    reply: (blockID, reply) => client.call("block.reply", { blockID, ...reply }),
    ...(onAsk === "ask" && { ask: keyboard.ask.bind(keyboard) }),
    otherwise: onAsk === "ask" ? (isAlone ? "reject" : "leave") : onAsk,
    isAlone,
    note,
  });
  const show = json ? printJson : showOn(new TerminalView(screen));
  const terminal = new SessionTerminal({
    client,
    sessionID,
    ...(recent !== undefined && { recent }),
    onEvent: (event) => {
      show(event);
      answerer.hear(event);
    },
    onConnection: (lost) => note(lost ? `agentwire: ${lost.message}; it is tried again` : "agentwire: connected again"),
    onTurn: setPrompt,
  });
  return { terminal, keyboard, note };
}

function printJson(event: WireEvent): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

function showOn(view: TerminalView): (event: WireEvent) => void {
  return (event) => view.show(event);
}
