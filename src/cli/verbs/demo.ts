import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import type { Block } from "../../../schemas/index.js";
import { AgentwireError, type Client } from "../../client/index.js";
import { readTrace } from "../../conformance/trace.js";
import { GatewayError } from "../../gateway-error.js";
import { GatewayServer } from "../../server/gateway-server.js";
import { readOrCreateToken } from "../../server/token-file.js";
import type { Program } from "../../session/agent-programs.js";
import { connectInProcess } from "../connect-in-process.js";
import { type OpenGateway, openGateway } from "../open-gateway.js";
import { packageRoot } from "../package-info.js";
import { parseOptions } from "../parse-options.js";
import { Screen } from "../terminal/screen.js";
import { SessionTerminal } from "../terminal/session-terminal.js";
import { TerminalView } from "../terminal/terminal-view.js";
import { untilSignal } from "../until-signal.js";
import type { Verb } from "../verb.js";

const DEFAULT_PORT = 4750;
const THINKING_MS = 700;

const FLAGS = { once: { type: "boolean" }, port: { type: "string" } } as const;
const Options = z.object({
  once: z.boolean().default(false),
  port: z.coerce.number().int().min(0).max(65535).optional(),
});

export const verb: Verb = {
  summary: "show it working with the bundled agent; no account needed",
  usage: `usage: agentwire demo [--once] [--port N]

Serves on loopback, runs one turn of the bundled agent with an approval, and stays up for other clients.

  --once    end after the turn
  --port N  default ${DEFAULT_PORT}, or a free one when that is taken`,
  run: async (args) => {
    const { options } = parseOptions(args, FLAGS, Options);
    const folder = mkdtempSync(join(tmpdir(), "agentwire-demo-"));
    try {
      return await runDemo(folder, options.once, options.port);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function runDemo(folder: string, once: boolean, port: number | undefined): Promise<number> {
  const story = join(packageRoot(), "golden-traces", "claude", "demo");
  const open = openGateway({ db: ":memory:", programs: { claude: bundledAgent(story) } });
  try {
    const token = readOrCreateToken(join(folder, "token"));
    const server = await listen(open, token, port);
    const screen = new Screen(process.stdout);
    screen.line(`agentwire serves ${server.url}; the bundled agent replays a turn of Claude Code over stdio\n`);
    const client = await connectInProcess(open.core);
    const code = await showTurn(client, folder, promptOf(story), screen).finally(() => client.close());
    if (!once) await stayUp(screen, server, token);
    await server.close();
    return code;
  } finally {
    await open.close();
  }
}

/** A child process that speaks the agent's protocol as it was recorded, and insists on the gateway's side of it. */
function bundledAgent(story: string): Program {
  return { command: process.execPath, args: [...process.execArgv, process.argv[1] ?? "", "trace", "play", story] };
}

function promptOf(story: string): string {
  for (const line of readTrace(story).native) {
    if (line.kind !== "command" || line.command.type !== "prompt") continue;
    const [part] = line.command.parts;
    if (part?.type === "text") return part.text;
  }
  throw new GatewayError("internal", "the bundled trace has no prompt");
}

async function showTurn(client: Client, directory: string, prompt: string, screen: Screen): Promise<number> {
  const session = await client.createSession({ agent: "claude", directory });
  const view = new TerminalView(screen);
  const terminal = new SessionTerminal({ client, sessionID: session.id, onEvent: (event) => view.show(event) });
  session.onBlocked(({ block }) => approve(client, block, screen));
  await terminal.during(() => terminal.prompt(prompt));
  const { last, exitCode } = terminal.turns;
  screen.line(
    `\nturn over: ${last?.finish}, ${last?.tokens.output ?? 0} tokens in the last message, session ${session.id}`,
  );
  return exitCode;
}

/** Plays the person: looks at the diff for a moment, then allows it once, as any client of the server could. */
async function approve(client: Client, { id: blockID }: Block, screen: Screen): Promise<void> {
  await wait(THINKING_MS);
  try {
    const { blocks } = await client.call("block.list", {});
    if (!blocks.some(({ block }) => block.id === blockID)) return;
    screen.line('  the demo replies: {"decision":"once"}');
    await client.call("block.reply", { blockID, decision: "once" });
  } catch (error) {
    // Another client was faster, and the turn may be over.
    if (!(error instanceof AgentwireError) || !["conflict", "closed"].includes(error.kind)) throw error;
  }
}

async function listen(open: OpenGateway, token: string, port: number | undefined): Promise<GatewayServer> {
  if (port !== undefined) return GatewayServer.listen(open.core, { port, token });
  try {
    return await GatewayServer.listen(open.core, { port: DEFAULT_PORT, token });
  } catch {
    return GatewayServer.listen(open.core, { port: 0, token });
  }
}

async function stayUp(screen: Screen, server: GatewayServer, token: string): Promise<void> {
  screen.line(
    `\nThe server is up. In another terminal, in this folder, watch and prompt it:\n\n${clientLine(server.websocketURL, token)}\n\nCtrl-C ends it.`,
  );
  await untilSignal();
}

/** A client small enough to paste: subscribes to everything, sends one prompt and allows what is asked. */
function clientLine(url: string, token: string): string {
  const script = [
    `import W from "ws"`,
    `const w=new W("${url}",["agentwire","agentwire.token.${token}"])`,
    `const call=(method,params)=>w.send(JSON.stringify({jsonrpc:"2.0",id:method,method,params}))`,
    `w.on("open",()=>{call("events.subscribe",{});call("session.create",{agent:"claude",directory:process.cwd()})})`,
    `w.on("message",d=>{const m=JSON.parse(d);console.log(JSON.stringify(m));` +
      `if(m.id==="session.create")call("session.prompt",{sessionID:m.result.session.id,parts:[{type:"text",text:"Hello"}]});` +
      `for(const {event} of m.params?.events??[]){const s=event.properties.part?.state;if(s?.status==="blocked")call("block.reply",{blockID:s.block.id,decision:"once"})}})`,
  ].join(";");
  return `node --input-type=module -e '${script}'`;
}
