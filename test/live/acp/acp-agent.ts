import type { AcpPackage } from "../install.js";
import type { ScriptedCall } from "../model-server/script.js";
import type { FullDriver, ScenarioDirs } from "../scenario.js";
import type { ApiName } from "./apis.js";

/** An ACP agent as data: where it comes from, how it runs offline, what its model calls its tools, and its habits. */
export interface AcpAgent extends AcpPackage {
  readonly api: ApiName;
  /** Fields of the final state that differ from run to run. */
  readonly unsteady?: readonly string[];
  /** How long a scenario may take, for an agent that is slow to start. */
  readonly timeoutMs?: number;
  /** Variables beside PATH, HOME and TMPDIR. */
  env(dirs: ScenarioDirs, modelUrl: string): Readonly<Record<string, string>>;
  /** Files below the home: their content, or what is written as JSON. */
  files(modelUrl: string): Readonly<Record<string, string | object>>;
  readonly tools: AcpTools;
  readonly habits: AcpHabits;
  /** A model that a session can change to. */
  readonly otherModel?: string;
  /** What must happen before the agent lets its model ask the user. */
  beforeQuestion?(driver: FullDriver): Promise<void>;
  /** Resolves when the agent has written down that these words were said; one without this writes before it answers. */
  written?(dirs: ScenarioDirs, words: string): Promise<void>;
  /** What must happen before a new process can take up the session of one that has ended. */
  beforeResume?(dirs: ScenarioDirs): Promise<void>;
  /** Promises that the agent does not keep, each with what it does instead: a story that shows nothing else is not told. */
  readonly lacks: Readonly<Record<string, string>>;
}

/** The calls of tools as the agent's model writes them; absent where the agent offers it no such tool. */
export interface AcpTools {
  /** A command; `free` where nothing is asked, so that the model need not say that it wants to be. */
  shell(command: string, free?: boolean): ScriptedCall;
  read(path: string): ScriptedCall;
  write(path: string, content: string): ScriptedCall;
  edit(path: string, before: string, after: string): ScriptedCall;
  readonly todos?: (todos: readonly ScriptedTodo[]) => ScriptedCall;
  readonly question?: (question: string, options: readonly string[]) => ScriptedCall;
  readonly subagent?: (prompt: string) => ScriptedCall;
  /** A tool of an MCP server. */
  readonly mcp?: (server: string, tool: string, input: Readonly<Record<string, unknown>>) => ScriptedCall;
}

/** What sets the agent apart where a story depends on it. */
export interface AcpHabits {
  /** Which calls it asks for. */
  readonly asksFor: readonly ("shell" | "write" | "edit" | "subagent" | "shell-in-subagent" | "mcp")[];
  /** What follows a rejected command: the model hears of it, or the turn ends. */
  readonly afterReject: "goes-on" | "ends";
  /** How often it asks where the key is not accepted, where the request is refused, and where the model refuses. */
  readonly tries: { readonly auth: number; readonly request: number; readonly refusal: number };
}

export interface ScriptedTodo {
  readonly content: string;
  readonly status: "pending" | "in_progress" | "completed";
}

export function call(name: string, input: Readonly<Record<string, unknown>>): ScriptedCall {
  return { type: "call", name, input };
}

/** A question as several agents write it. */
export function askQuestion(
  name: string,
  question: string,
  options: readonly string[],
  more: object = {},
): ScriptedCall {
  const choices = options.map((label) => ({ label, description: `Take ${label}` }));
  return call(name, { questions: [{ question, header: "Choice", options: choices, ...more }] });
}
