import { createInterface } from "node:readline/promises";
import { text as readAll } from "node:stream/consumers";
import { z } from "zod";
import { Mode, type WireEvent } from "../../../schemas/index.js";
import type { Program } from "../../session/agent-programs.js";
import { BlockAnswerer } from "../answer-blocks.js";
import { createLog } from "../create-log.js";
import { logLevelOption } from "../log-level.js";
import { type OpenGateway, openGateway } from "../open-gateway.js";
import { ProgramFlags, parseOptions } from "../parse-options.js";
import { readAgents } from "../read-agents.js";
import { readRules } from "../read-rules.js";
import { exitCodeOf, runTurn } from "../run-turn.js";
import { TerminalView } from "../terminal-view.js";
import { UsageError } from "../usage-error.js";
import type { Verb } from "../verb.js";

const MEMORY = ":memory:";

const FLAGS = {
  json: { type: "boolean" },
  cwd: { type: "string" },
  model: { type: "string" },
  mode: { type: "string" },
  "on-ask": { type: "string" },
  db: { type: "string" },
  program: { type: "string", multiple: true },
  rules: { type: "string" },
  agents: { type: "string" },
  "log-level": { type: "string" },
} as const;

const Options = z.object({
  json: z.boolean().default(false),
  cwd: z.string().default(() => process.cwd()),
  model: z.string().optional(),
  mode: Mode.optional(),
  "on-ask": z.enum(["ask", "once", "always", "reject"]).optional(),
  db: z.string().default(MEMORY),
  program: ProgramFlags,
  rules: z.string().optional(),
  agents: z.string().optional(),
  "log-level": logLevelOption("warn"),
});
type Options = z.infer<typeof Options>;

export const verb: Verb = {
  summary: "run an agent and stream what it does; asks on a terminal",
  usage: `usage: agentwire run <agent> [prompt] [options] [-- program [argument…]]

Runs one prompt (from the argument or from standard input), or on a terminal without one a conversation. What stands
behind -- is the agent's program: \`agentwire run acp "fix it" -- mycli --acp\` runs any program that speaks ACP.

  --json               print wire events, one JSON object a line
  --cwd DIR            the directory the agent works in
  --model MODEL        the model, by the agent's own name
  --mode MODE          ${Mode.options.join(" | ")}
  --on-ask HOW         ask (default on a terminal) | once | always | reject (default elsewhere)
  --db FILE            keep the session in this database
  --program AGENT=PATH the agent's program
  --rules FILE         permission rules, a JSON list of {permission, pattern, action}
  --agents FILE        agents to declare: {"agents": {"mycli": {"protocol": "acp", "command": ["mycli", "--acp"]}}}
  --log-level LEVEL    trace | debug | info | warn (default) | error | silent`,
  run: async (args) => {
    const [own, program] = splitProgram(args);
    const { options, positionals } = parseOptions(own, FLAGS, Options);
    const [agent, ...words] = positionals;
    if (agent === undefined) throw new UsageError("name an agent; `agentwire agents` lists them");
    const prompt = await readPrompt(words);
    const open = openGateway({
      db: options.db,
      // Nobody can ask for what is kept apart when this program has ended.
      ...(options.db === MEMORY && { largeChars: Number.POSITIVE_INFINITY }),
      programs: { ...options.program, ...(program && { [agent]: program }) },
      agents: readAgents(options.agents),
      rules: readRules(options.rules),
      log: createLog({ level: options["log-level"] }),
    });
    try {
      return await converse(open, agent, prompt, options);
    } finally {
      await open.close();
    }
  },
};

/** What stands behind `--` is a program with its arguments. */
function splitProgram(args: readonly string[]): [readonly string[], Program | undefined] {
  const end = args.indexOf("--");
  if (end < 0) return [args, undefined];
  const [command, ...rest] = args.slice(end + 1);
  if (command === undefined) throw new UsageError("name a program behind --");
  return [args.slice(0, end), { command, args: rest }];
}

/** Undefined on a terminal: then there is a conversation. */
async function readPrompt(words: readonly string[]): Promise<string | undefined> {
  if (words.length > 0) return words.join(" ");
  if (process.stdin.isTTY) return undefined;
  const text = (await readAll(process.stdin)).trim();
  if (text === "") throw new UsageError("give a prompt as an argument or on standard input");
  return text;
}

async function converse(
  open: OpenGateway,
  agent: string,
  prompt: string | undefined,
  options: Options,
): Promise<number> {
  const { session } = await open.gateway.handle("session.create", {
    agent,
    directory: options.cwd,
    ...(options.model !== undefined && { model: options.model }),
    ...(options.mode && { mode: options.mode }),
  });
  const onEvent = listener(open, options);
  const stopSignals = abortOnInterrupt(open, session.id);
  try {
    if (prompt !== undefined) return exitCodeOf(await runTurn(open, session.id, prompt, onEvent));
    return await readLoop(open, session.id, onEvent);
  } finally {
    stopSignals();
  }
}

function listener(open: OpenGateway, options: Options): (event: WireEvent) => void {
  const view = new TerminalView(process.stdout);
  const answerer = new BlockAnswerer(open.gateway, options["on-ask"] ?? (process.stdin.isTTY ? "ask" : "reject"));
  return (event) => {
    if (options.json) process.stdout.write(`${JSON.stringify(event)}\n`);
    else view.show(event);
    if (event.type !== "message.part.updated" || event.properties.part.type !== "tool") return;
    const { state } = event.properties.part;
    if (state.status === "blocked") answerer.onBlocked(state.block);
  };
}

async function readLoop(open: OpenGateway, sessionID: string, onEvent: (event: WireEvent) => void): Promise<number> {
  let code = 0;
  for (;;) {
    const line = await readLine();
    if (line === undefined) return code;
    if (line.trim() !== "") code = exitCodeOf(await runTurn(open, sessionID, line, onEvent));
  }
}

/** Undefined at the end of the input. A reader for each line, so that it does not compete with a question's. */
function readLine(): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr, prompt: "> " });
  return new Promise((resolve) => {
    terminal.on("line", (line) => {
      resolve(line);
      terminal.close();
    });
    terminal.on("close", () => resolve(undefined));
    terminal.prompt();
  });
}

/** The first Ctrl-C ends the turn, the second the program. */
function abortOnInterrupt({ gateway }: OpenGateway, sessionID: string): () => void {
  let asked = false;
  const onSignal = () => {
    if (asked) process.exit(130);
    asked = true;
    void gateway.handle("session.abort", { sessionID }).finally(() => {
      asked = false;
    });
  };
  process.on("SIGINT", onSignal);
  return () => process.off("SIGINT", onSignal);
}
