import { homedir } from "node:os";
import { basename } from "node:path";
import { z } from "zod";
import { Mode } from "../../../schemas/index.js";
import type { Client } from "../../client/index.js";
import { directoryPlaceholders } from "../../conformance/placeholders.js";
import { Recorder } from "../../conformance/recorder.js";
import { replay } from "../../conformance/replay.js";
import { type Trace, writeExpected, writeTrace } from "../../conformance/trace.js";
import { AgentPrograms, adapterOf } from "../../session/agent-programs.js";
import { describeAgents } from "../../session/describe-agents.js";
import { connectInProcess } from "../connect-in-process.js";
import { AGENTS_DIR, openGateway } from "../open-gateway.js";
import { ProgramFlags, parseOptions } from "../parse-options.js";
import { openTerminal } from "../terminal/open-terminal.js";
import { UsageError } from "../usage-error.js";

const FLAGS = {
  cwd: { type: "string" },
  model: { type: "string" },
  mode: { type: "string" },
  "on-ask": { type: "string" },
  program: { type: "string", multiple: true },
} as const;

const Options = z.object({
  cwd: z.string().default(() => process.cwd()),
  model: z.string().optional(),
  mode: Mode.optional(),
  "on-ask": z.enum(["ask", "once", "always", "reject"]).optional(),
  program: ProgramFlags,
});
type Options = z.infer<typeof Options>;

export async function action(args: readonly string[]): Promise<number> {
  const { options, positionals } = parseOptions(args, FLAGS, Options);
  const [agent, folder, ...words] = positionals;
  if (agent === undefined || folder === undefined || words.length === 0)
    throw new UsageError("name an agent, a folder and a prompt");
  const prompt = words.join(" ");
  const { code, recorder } = await recordTurn(agent, prompt, options);
  const trace = recorder.trace({
    name: basename(folder),
    title: prompt,
    requirements: [],
    agentVersion: await versionOf(agent, options),
  });
  return save(folder, trace) ? code : 1;
}

async function recordTurn(
  agent: string,
  prompt: string,
  options: Options,
): Promise<{ code: number; recorder: Recorder }> {
  let recorder: Recorder | undefined;
  const open = openGateway({
    db: ":memory:",
    programs: options.program,
    tap: (seed) => {
      recorder = new Recorder(adapterOf(agent), seed, directoryPlaceholders(seed.directory, homedir()));
      return recorder;
    },
  });
  let code: number;
  try {
    const client = await connectInProcess(open.core);
    code = await runTurn(client, agent, prompt, options).finally(() => client.close());
  } finally {
    await open.close();
  }
  if (!recorder) throw new Error("no session was recorded");
  return { code, recorder };
}

async function runTurn(client: Client, agent: string, prompt: string, options: Options): Promise<number> {
  const { id } = await client.createSession({
    agent,
    directory: options.cwd,
    ...(options.model !== undefined && { model: options.model }),
    ...(options.mode && { mode: options.mode }),
  });
  const onAsk = options["on-ask"] ?? (process.stdin.isTTY ? "ask" : "reject");
  const out = process.stderr;
  const { terminal, keyboard } = openTerminal({ client, sessionID: id, json: false, onAsk, isAlone: true, out });
  try {
    await terminal.during(() => terminal.prompt(prompt));
    return terminal.turns.exitCode;
  } finally {
    keyboard.close();
  }
}

async function versionOf(agent: string, options: Options): Promise<string> {
  const { agents } = await describeAgents(new AgentPrograms({ agentsDir: AGENTS_DIR, overrides: options.program }));
  return agents.find(({ id }) => id === agent)?.version ?? "unknown";
}

/** False when the adapter does not send again what it sent: then it is not pure. */
function save(folder: string, trace: Trace): boolean {
  writeTrace(folder, trace);
  const { expected, problems } = replay(trace);
  writeExpected(folder, expected);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.stderr.write(`recorded ${trace.native.length} lines in ${folder}\n`);
  return problems.length === 0;
}
