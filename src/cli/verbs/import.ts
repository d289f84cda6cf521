import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import type { AnyTranscriptReader, TranscriptHead } from "../../../adapters/index.js";
import { GatewayError } from "../../gateway-error.js";
import { adapterOf } from "../../session/agent-programs.js";
import { openStore } from "../../store/open-store.js";
import { type ImportOutcome, importSession, transcriptAgent } from "../../transcripts/import-session.js";
import { readHead } from "../../transcripts/read-session.js";
import { findSessions, type SessionFiles } from "../../transcripts/session-files.js";
import { parseOptions } from "../parse-options.js";
import { stateFolder } from "../state-folder.js";
import { UsageError } from "../usage-error.js";
import type { Verb } from "../verb.js";
import { writeOut } from "../write-out.js";

const FLAGS = {
  list: { type: "boolean" },
  project: { type: "string" },
  from: { type: "string" },
  db: { type: "string" },
} as const;

const Options = z.object({
  list: z.boolean().default(false),
  project: z.string().optional(),
  from: z.string().optional(),
  db: z.string().default(() => join(stateFolder(), "agentwire.db")),
});

export const verb: Verb = {
  summary: "take over sessions that an agent's own program kept",
  usage: `usage: agentwire import AGENT [session-id…] [options]

Reads the sessions that the agent's program kept on this machine into the database, where clients read them and go on with
them by a prompt. Without ids all are taken. One that is there already is brought up to date; one that the gateway has gone
on with is left alone.

  --list         only list them: id, last activity, messages, directory, title
  --project DIR  only those of this directory
  --from DIR     the folder of transcripts, where it is not the agent's own
  --db FILE      the database of sessions; a gateway that has it open must be ended first`,
  run: async (args) => {
    const { options, positionals } = parseOptions(args, FLAGS, Options);
    const [agentID, ...ids] = positionals;
    if (agentID === undefined) throw new UsageError("name an agent");
    const agent = transcriptAgent(adapterOf(agentID));
    const folder = options.from ?? agent.reader.folder(process.env, homedir());
    const found = await choose(agent.reader, folder, ids, options.project);
    if (options.list) return list(found);
    const store = openStore({ path: options.db });
    try {
      for (const { files } of found) await writeOut(describe(files, await importSession(store, agent, files)));
    } finally {
      store.close();
    }
    return 0;
  },
};

interface Found {
  readonly files: SessionFiles;
  readonly head: TranscriptHead;
}

/** The sessions that are asked for, the one used last first. */
async function choose(
  reader: AnyTranscriptReader,
  folder: string,
  ids: readonly string[],
  project: string | undefined,
): Promise<Found[]> {
  const all = await findSessions(reader, folder);
  const named = ids.length === 0 ? all : ids.map((id) => sessionWith(all, id));
  const found: Found[] = [];
  for (const files of named) {
    const head = await readHead(reader, files);
    if (head && head.messages > 0 && (project === undefined || head.directory === resolve(project)))
      found.push({ files, head });
  }
  return found.sort((a, b) => b.head.lastAt - a.head.lastAt);
}

function sessionWith(all: readonly SessionFiles[], id: string): SessionFiles {
  const files = all.find(({ nativeID }) => nativeID === id);
  if (files) return files;
  throw new GatewayError("not_found", `there is no session ${id}`, { hint: "--list shows those there are" });
}

async function list(found: readonly Found[]): Promise<number> {
  await writeOut(found.map(lineOf).join(""));
  return 0;
}

const TITLE_LENGTH = 60;

function lineOf({ files, head }: Found): string {
  const title = (head.title ?? head.firstPrompt ?? "").replace(/\s+/g, " ").slice(0, TITLE_LENGTH);
  const when = new Date(head.lastAt).toISOString().slice(0, 16).replace("T", " ");
  return `${files.nativeID}  ${when}  ${String(head.messages).padStart(5)}  ${head.directory}  ${title}\n`;
}

function describe({ nativeID }: SessionFiles, outcome: ImportOutcome): string {
  switch (outcome.kind) {
    case "empty":
      return `${nativeID} holds nothing\n`;
    case "continued":
      return `${nativeID} is the session ${outcome.sessionID}, which has gone on since: left as it is\n`;
    case "unchanged":
      return `${nativeID} is the session ${outcome.sessionID}\n`;
    case "imported":
      return `${nativeID} is now the session ${outcome.sessionID}\n`;
  }
}
