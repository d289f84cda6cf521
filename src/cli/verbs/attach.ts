import { z } from "zod";
import type { Session } from "../../../schemas/index.js";
import type { Client } from "../../client/index.js";
import { chooseSession } from "../choose-session.js";
import { findSession } from "../find-session.js";
import { GATEWAY_FLAGS, GATEWAY_SHAPE, GATEWAY_USAGE } from "../gateway-options.js";
import { parseOptions } from "../parse-options.js";
import { withGateway } from "../reach-gateway.js";
import { converse } from "../terminal/converse.js";
import { type OpenTerminal, openTerminal } from "../terminal/open-terminal.js";
import { untilSignal } from "../until-signal.js";
import { UsageError } from "../usage-error.js";
import type { Verb } from "../verb.js";

const DEFAULT_HISTORY = 10;
const MOST_HISTORY = 1000;

const FLAGS = {
  ...GATEWAY_FLAGS,
  json: { type: "boolean" },
  history: { type: "string" },
  "read-only": { type: "boolean" },
  "on-ask": { type: "string" },
  "until-idle": { type: "boolean" },
} as const;

const Options = z
  .object({
    ...GATEWAY_SHAPE,
    json: z.boolean().default(false),
    history: z.coerce.number().int().min(0).max(MOST_HISTORY).default(DEFAULT_HISTORY),
    "read-only": z.boolean().default(false),
    "on-ask": z.enum(["ask", "leave", "once", "always", "reject"]).optional(),
    "until-idle": z.boolean().default(false),
  })
  .refine((options) => !options["read-only"] || ["leave", undefined].includes(options["on-ask"]), {
    path: ["read-only"],
    message: "decides nothing",
  });
type Options = z.infer<typeof Options>;

export const verb: Verb = {
  summary: "watch a session of a gateway that runs, answer what it asks, prompt it",
  usage: `usage: agentwire attach [session] [options]

Shows the last messages of a session and what happens in it from then on, and asks for what waits in it and its subagents; what
somebody else decides meanwhile is asked no more. Without a session: the one that is at work, or one to choose from. A session is
named by its id, by the beginning or the end of it, or as \`last\`: the newest one at work, or the newest of all.

The session goes on when you leave. While its gateway is away, attach waits for it, and goes on where it comes back.
(\`session.attach\` of the wire is another thing: it reads along what an agent's own program does elsewhere.)

A line you type is a prompt; while a turn runs it waits for its end. What the agent says waits while you type.

  /steer TEXT          joins the turn that runs
  /abort               ends the turn that runs
  /quit                leaves, and so do Ctrl-D and Ctrl-C; no turn is ended
  //TEXT               is the prompt /TEXT; any other line with a slash is for the agent as it is

Where standard input is no terminal, its lines are taken one at a time: as an answer when something is asked, as a prompt when the
session is idle. After its end, what is asked is left to others, and attach ends with the turn: 0 when it came to its end.

  --history N          how many messages come first, default ${DEFAULT_HISTORY}, at most ${MOST_HISTORY}
  --read-only          watch: ask nothing, take no prompts
  --on-ask HOW         ask (default) | leave (to others) | once | always | reject
  --until-idle         end when no turn runs, whatever comes on standard input
  --json               print wire events, one JSON object a line; first the session as it stands, as events
${GATEWAY_USAGE}`,
  run: async (args) => {
    const { options, positionals } = parseOptions(args, FLAGS, Options);
    const [name, ...others] = positionals;
    if (others.length > 0) throw new UsageError("name one session");
    return withGateway(options, async (client) => {
      const session = name === undefined ? await chooseSession(client) : await findSession(client, name);
      return session ? attach(client, session, options) : 0;
    });
  },
};

async function attach(client: Client, session: Session, options: Options): Promise<number> {
  const open = openTerminal({
    client,
    sessionID: session.id,
    json: options.json,
    onAsk: options["on-ask"] ?? (options["read-only"] ? "leave" : "ask"),
    isAlone: false,
    recent: options.history,
  });
  greet(open, session, options);
  const left = untilSignal().then(() => 0);
  try {
    return await open.terminal.during(() => Promise.race([left, stay(open, options)]));
  } finally {
    open.keyboard.close();
  }
}

function greet({ keyboard, note }: OpenTerminal, { id, title, directory }: Session, options: Options): void {
  const help = options["read-only"]
    ? "Ctrl-C leaves"
    : "/abort ends its turn; /quit, Ctrl-D or Ctrl-C leave it as it is";
  if (keyboard.isTerminal) note(`attached to ${id} ${title || directory}: ${help}`);
}

/** Resolves with the exit code when there is nothing to stay for. */
function stay(open: OpenTerminal, options: Options): Promise<number> {
  const { terminal, keyboard } = open;
  const isWatching = options["read-only"];
  const idle = async (): Promise<number> => {
    await terminal.turns.untilIdle();
    return terminal.turns.exitCode;
  };
  if (isWatching) return keyboard.isTerminal && !options["until-idle"] ? new Promise(() => {}) : idle();
  const conversation = converse(open, { atEnd: keyboard.isTerminal ? "leave" : "wait" });
  return options["until-idle"] ? Promise.race([conversation, idle()]) : conversation;
}
