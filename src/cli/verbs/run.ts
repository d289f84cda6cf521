import { text as readAll } from "node:stream/consumers";
import { z } from "zod";
import { Mode } from "../../../schemas/index.js";
import type { Client, SessionHandle } from "../../client/index.js";
import type { Program } from "../../session/agent-programs.js";
import { connectInProcess } from "../connect-in-process.js";
import { createLog } from "../create-log.js";
import { logLevelOption } from "../log-level.js";
import { openGateway } from "../open-gateway.js";
import { ProgramFlags, parseOptions } from "../parse-options.js";
import { readAgents } from "../read-agents.js";
import { readRules } from "../read-rules.js";
import { MEMORY } from "../state-folder.js";
import { converse } from "../terminal/converse.js";
import { type OpenTerminal, openTerminal } from "../terminal/open-terminal.js";
import { UsageError } from "../usage-error.js";
import type { Verb } from "../verb.js";

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
      const client = await connectInProcess(open.core);
      return await runSession(client, agent, prompt, options).finally(() => client.close());
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

async function runSession(
  client: Client,
  agent: string,
  prompt: string | undefined,
  options: Options,
): Promise<number> {
  const { session } = await client.call("session.create", {
    agent,
    directory: options.cwd,
    ...(options.model !== undefined && { model: options.model }),
    ...(options.mode && { mode: options.mode }),
  });
  const onAsk = options["on-ask"] ?? (process.stdin.isTTY ? "ask" : "reject");
  const open = openTerminal({ client, sessionID: session.id, json: options.json, onAsk, isAlone: true });
  const { terminal, keyboard } = open;
  const stopSignals = abortOnInterrupt(open, prompt === undefined);
  try {
    return await terminal.during(async () => {
      if (prompt === undefined) return converse(open, { atEnd: "wait" });
      await terminal.prompt(prompt);
      return terminal.turns.exitCode;
    });
  } finally {
    stopSignals();
    keyboard.close();
  }
}

/** The first Ctrl-C ends the turn, the second the program. Between the turns of a conversation one is enough. */
function abortOnInterrupt({ terminal, keyboard }: OpenTerminal, isConversation: boolean): () => void {
  let asked = false;
  const onSignal = () => {
    if (asked) process.exit(130);
    if (isConversation && terminal.turns.isIdle) return keyboard.close();
    asked = true;
    void abort(terminal.session).finally(() => {
      asked = false;
    });
  };
  process.on("SIGINT", onSignal);
  return () => process.off("SIGINT", onSignal);
}

/** A turn that ends meanwhile takes its session with it. */
async function abort(session: SessionHandle): Promise<void> {
  await session.abort().catch(() => {});
}
