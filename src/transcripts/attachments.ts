import { realpathSync, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { relative, sep } from "node:path";
import type { Logger } from "pino";
import type { AnyAdapter } from "../../adapters/index.js";
import type { Params, Session } from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import type { Store } from "../store/store.js";
import { AttachedSession } from "./attached-session.js";
import { type TranscriptAgent, transcriptAgent } from "./import-session.js";
import { readHead } from "./read-session.js";
import { runningSessions } from "./running-sessions.js";
import { findSessions, type SessionFiles } from "./session-files.js";
import { nativeIDOf, rootSessions, sessionDriving } from "./stored-session.js";

type Env = Readonly<Record<string, string | undefined>>;

export interface AttachmentsOptions {
  readonly store: Store;
  readonly log: Logger;
  readonly env: Env;
  readonly home: string;
  readonly adapterOf: (agent: string) => AnyAdapter;
  /** Throws for a directory that sessions may not work in. */
  readonly checkDirectory: (directory: string) => void;
  readonly settleMs?: number;
  readonly pollMs?: number;
}

const SETTLE_MS = 1500;
/** File systems exist that tell of no changes, and none tells that a process is gone. */
const POLL_MS = 2000;
/** How long a session counts as open after its last line, where the agent does not say which are. */
const ASSUMED_OPEN_MS = 10 * 60 * 1000;

interface Attached {
  readonly agent: TranscriptAgent;
  readonly session: AttachedSession;
  readonly files: SessionFiles;
  /** The process that has it open, once it was seen. */
  pid: number | undefined;
}

/** The sessions that run in a terminal and are shown here. */
export class Attachments {
  readonly #options: AttachmentsOptions;
  readonly #attached = new Map<string, Attached>();
  /** Sessions that a terminal went on with and whose transcript has not begun. */
  readonly #expected = new Map<string, TranscriptAgent>();
  #poll: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: AttachmentsOptions) {
    this.#options = options;
  }

  async attach(params: Params<"session.attach">): Promise<Session> {
    const agent = transcriptAgent(this.#options.adapterOf(params.agent));
    return this.#attach(agent, await this.#find(agent, params));
  }

  /** Follows again what an earlier gateway followed. */
  async restore(): Promise<void> {
    for (const session of [...rootSessions(this.#options.store)]) {
      const nativeID = nativeIDOf(session);
      if (session.metadata?.attached !== true || nativeID === undefined) continue;
      const agent = transcriptAgent(this.#options.adapterOf(session.agent));
      try {
        const files = await this.#find(agent, { agent: session.agent, nativeID });
        if (this.#closed) return;
        await this.#attach(agent, files);
      } catch (error) {
        this.#options.log.warn({ sessionID: session.id, error }, "a session could not be followed again");
      }
    }
  }

  /** Ends the view of a session whose terminal is gone, so that a prompt can go on with it. Throws while it is there. */
  release(session: Session): void {
    if (session.metadata?.attached !== true) return;
    const attached = this.#attached.get(session.id);
    if (!attached || this.#isOpen(attached)) {
      throw new GatewayError(
        "not_supported",
        `the session ${session.id} runs in a terminal and can only be read here`,
        {
          field: "sessionID",
          hint: "end it there first",
        },
      );
    }
    this.#end(attached);
  }

  /** Stops to follow a session. */
  drop(sessionID: string): void {
    this.#attached.get(sessionID)?.session.close();
    this.#attached.delete(sessionID);
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#poll);
    for (const sessionID of [...this.#attached.keys()]) this.drop(sessionID);
  }

  async #attach(agent: TranscriptAgent, files: SessionFiles): Promise<Session> {
    const { store, log, settleMs = SETTLE_MS, checkDirectory } = this.#options;
    const known = [...this.#attached.values()].find(({ session }) => session.nativeID === files.nativeID);
    if (known) return this.#stored(known.session.sessionID);
    const driving = sessionDriving(store, agent.adapter.id, files.nativeID);
    const head = await readHead(agent.reader, files);
    if (head) checkDirectory(head.directory);
    if (driving && head && driving.id !== agent.reader.seedOf(head, agent.adapter.id).sessionID)
      throw new GatewayError("conflict", `the session ${driving.id} goes on here already`);
    const session = await AttachedSession.open({ agent, files, store, log, settleMs });
    const attached: Attached = { agent, session, files, pid: undefined };
    attached.pid = this.#processOf(attached);
    this.#attached.set(session.sessionID, attached);
    if (this.#closed) this.drop(session.sessionID);
    else this.#startPolling();
    store.flush();
    return this.#stored(session.sessionID);
  }

  async #find(agent: TranscriptAgent, { nativeID, path, directory }: Params<"session.attach">): Promise<SessionFiles> {
    const folder = agent.reader.folder(this.#options.env, this.#options.home);
    if (path !== undefined) return onlySession(await findSessions(agent.reader, inside(folder, path)), path);
    const all = await findSessions(agent.reader, folder);
    const found =
      nativeID === undefined ? await newestIn(agent, all, directory) : all.find((files) => files.nativeID === nativeID);
    if (found) return found;
    throw new GatewayError("not_found", `there is no transcript of ${nativeID ?? `a session in ${directory}`}`, {
      field: nativeID === undefined ? "directory" : "nativeID",
    });
  }

  #startPolling(): void {
    this.#poll ??= setInterval(() => {
      this.#onPoll().catch((error: unknown) => this.#options.log.error({ error }, "sessions could not be followed"));
    }, this.#options.pollMs ?? POLL_MS).unref();
  }

  async #onPoll(): Promise<void> {
    for (const attached of [...this.#attached.values()]) {
      await attached.session.refresh().catch((error: unknown) => {
        this.#options.log.error({ nativeID: attached.session.nativeID, error }, "a transcript could not be followed");
      });
      this.#followProcess(attached);
    }
    for (const [nativeID, agent] of [...this.#expected]) {
      await this.#find(agent, { agent: agent.adapter.id, nativeID })
        .then((files) => this.#attach(agent, files))
        .then(() => this.#expected.delete(nativeID))
        // Its first line is still to come.
        .catch(() => undefined);
    }
  }

  /** A terminal that clears its conversation goes on in another session: that one is followed then. */
  #followProcess(attached: Attached): void {
    const running = this.#running(attached.agent);
    const now = running?.get(attached.pid ?? -1);
    attached.pid = this.#processOf(attached) ?? attached.pid;
    if (now === undefined || now === attached.session.nativeID) return;
    this.#expected.set(now, attached.agent);
    this.#end(attached);
  }

  #end(attached: Attached): void {
    this.#attached.delete(attached.session.sessionID);
    attached.session.end();
    this.#options.store.flush();
  }

  #isOpen(attached: Attached): boolean {
    const running = this.#running(attached.agent);
    if (running) return [...running.values()].includes(attached.session.nativeID);
    const info = statSync(attached.files.main.path, { throwIfNoEntry: false });
    return info !== undefined && Date.now() - info.mtimeMs < ASSUMED_OPEN_MS;
  }

  #processOf({ agent, session }: Attached): number | undefined {
    const entry = [...(this.#running(agent) ?? [])].find(([, nativeID]) => nativeID === session.nativeID);
    return entry?.[0];
  }

  #running({ reader: { running } }: TranscriptAgent): Map<number, string> | undefined {
    return running && runningSessions(running, running.folder(this.#options.env, this.#options.home));
  }

  #stored(sessionID: string): Session {
    const session = this.#options.store.session(sessionID);
    if (!session) throw new GatewayError("internal", `the session ${sessionID} was not stored`);
    return session;
  }
}

/** A client may name a file, but only one of the agent's transcripts. */
function inside(folder: string, path: string): string {
  const real = realPath(path);
  const way = real === undefined ? ".." : relative(realPath(folder) ?? folder, real);
  if (real !== undefined && way.split(sep)[0] !== ".." && way !== "") return real;
  throw new GatewayError("forbidden", `"${path}" is no transcript in ${folder}`, { field: "path" });
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function onlySession([first, ...others]: readonly SessionFiles[], path: string): SessionFiles {
  if (first && others.length === 0) return first;
  throw new GatewayError("invalid_params", `"${path}" holds more than one session`, { field: "path" });
}

async function newestIn(
  { reader }: TranscriptAgent,
  all: readonly SessionFiles[],
  directory: string | undefined,
): Promise<SessionFiles | undefined> {
  const aged = await Promise.all(all.map(async (files) => ({ files, at: (await stat(files.main.path)).mtimeMs })));
  for (const { files } of aged.sort((a, b) => b.at - a.at)) {
    const head = await readHead(reader, files);
    if (head && head.directory === directory) return files;
  }
  return undefined;
}
