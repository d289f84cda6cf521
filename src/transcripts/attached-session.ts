import { type FSWatcher, watch } from "node:fs";
import { dirname } from "node:path";
import type { Logger } from "pino";
import type {
  SessionSeed,
  TranscriptArranger,
  TranscriptHead,
  TranscriptHeadReader,
  TranscriptLine,
} from "../../adapters/index.js";
import type { WireEvent } from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import type { Store } from "../store/store.js";
import type { TranscriptAgent } from "./import-session.js";
import { firstLine, readBases } from "./read-session.js";
import { type BaseFile, baseFiles, type LocatedFile, otherFiles, type SessionFiles } from "./session-files.js";
import { isContinued, seedWith, settled } from "./stored-session.js";
import { readAbout, TranscriptLines } from "./transcript-file.js";
import { TranscriptPlayer } from "./transcript-player.js";

export interface AttachedSessionOptions {
  readonly agent: TranscriptAgent;
  readonly files: SessionFiles;
  readonly store: Store;
  readonly log: Logger;
  /** How long a transcript must be quiet before a response that ended counts as the end of its turn. */
  readonly settleMs: number;
}

/** A session that another program writes, shown as it goes: its transcript is followed, and nothing is sent. */
export class AttachedSession {
  readonly #options: AttachedSessionOptions;
  readonly #watchers = new Map<string, FSWatcher>();
  /** What its own file goes on from, once that was read. */
  #bases: BaseFile[] | undefined;
  #files = new Map<string, TranscriptLines>();
  #abouts = new Map<string, string>();
  #arranger: TranscriptArranger<unknown>;
  #head: TranscriptHeadReader;
  #player: TranscriptPlayer | undefined;
  #settle: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;
  #again = false;
  #closed = false;

  private constructor(options: AttachedSessionOptions) {
    this.#options = options;
    this.#arranger = options.agent.reader.arranger();
    this.#head = options.agent.reader.headReader();
  }

  /** Reads what there is and begins to follow it. Throws when it is no conversation, or one that the gateway itself has. */
  static async open(options: AttachedSessionOptions): Promise<AttachedSession> {
    const session = new AttachedSession(options);
    try {
      await session.refresh();
      if (!session.#player)
        throw new GatewayError("not_found", `the session ${options.files.nativeID} says nothing yet`);
      return session;
    } catch (error) {
      session.close();
      throw error;
    }
  }

  get nativeID(): string {
    return this.#options.files.nativeID;
  }

  get sessionID(): string {
    return this.#seed.sessionID;
  }

  get head(): TranscriptHead {
    const { head } = this.#head;
    if (!head) throw new Error("a session that is attached has a head");
    return head;
  }

  /** Reads what came since; one reading at a time. */
  refresh(): Promise<void> {
    if (this.#reading) {
      this.#again = true;
      return this.#reading;
    }
    this.#reading = this.#readAll().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** The other program is gone: what is open is closed, and the next prompt goes on with the session. */
  end(): void {
    const player = this.#player;
    this.close();
    if (!player) return;
    const events = player.end();
    const { attached: _, ...metadata } = player.past.session.metadata ?? {};
    const session = { ...player.past.session, metadata };
    events.push({ type: "session.updated", properties: { sessionID: session.id, info: session } });
    this.#store(events, player, session);
  }

  /** Stops to follow; what is stored stays as it is. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#settle);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  get #seed(): SessionSeed {
    if (!this.#player) throw new Error("a session that is attached has a player");
    return this.#player.seed;
  }

  async #readAll(): Promise<void> {
    do {
      this.#again = false;
      await this.#read();
      if (this.#closed) return;
      this.#show();
    } while (this.#again);
  }

  async #read(): Promise<void> {
    const { agent, files } = this.#options;
    const bases = await this.#readBases();
    const found = [files.main, ...(await otherFiles(agent.reader, files))];
    if (!this.#closed) this.#watch(found);
    for (const file of found) {
      if (file.kind === "about") await this.#readAbout(file);
      else if (!(await this.#linesOf(file, bases).readMore(file.path))) return this.#startOver();
    }
  }

  async #readBases(): Promise<readonly BaseFile[]> {
    if (this.#bases) return this.#bases;
    const { agent, files } = this.#options;
    this.#bases = await baseFiles(agent.reader, files);
    await readBases(agent.reader, this.#bases, this.#arranger);
    return this.#bases;
  }

  #linesOf({ path, thread }: LocatedFile, bases: readonly BaseFile[]): TranscriptLines {
    const known = this.#files.get(path);
    if (known) return known;
    const onLine = (line: TranscriptLine) => {
      this.#head.add(line);
      this.#arranger.add(line);
    };
    const first = thread === "" ? firstLine(bases) : 0;
    const lines = new TranscriptLines(this.#options.agent.reader, thread, onLine, first);
    this.#files.set(path, lines);
    return lines;
  }

  async #readAbout({ path, thread }: LocatedFile): Promise<void> {
    const about = await readAbout(path, thread);
    const text = JSON.stringify(about?.raw);
    if (!about || this.#abouts.get(path) === text) return;
    this.#abouts.set(path, text);
    this.#arranger.add(about);
  }

  /** A file is shorter than it was: it was replaced. */
  #startOver(): void {
    const { reader } = this.#options.agent;
    this.#bases = undefined;
    this.#files = new Map();
    this.#abouts = new Map();
    this.#arranger = reader.arranger();
    this.#head = reader.headReader();
    this.#player = undefined;
    this.#again = true;
  }

  /** Shows what is new, or everything again where what is new changes what stood before. */
  #show(): void {
    const player = this.#player;
    const frames = player ? this.#arranger.take() : undefined;
    if (!player || !frames) return this.#showAll();
    if (frames.length === 0) return;
    this.#store(player.play(frames), player);
    this.#settleSoon();
  }

  #showAll(): void {
    const { agent, files, store } = this.#options;
    const { head } = this.#head;
    if (!head) return;
    const fresh = agent.reader.seedOf(head, agent.adapter.id);
    const seed = seedWith(fresh, store.session(fresh.sessionID), head);
    const player = new TranscriptPlayer(
      agent.reader,
      { ...seed, metadata: { ...seed.metadata, attached: true } },
      { folder: files.folder },
    );
    const events = settled([...player.start(), ...player.play(this.#arranger.all())]);
    if (isContinued(store, seed.sessionID, events))
      throw new GatewayError("conflict", `the session ${seed.sessionID} goes on here already`);
    this.#player = player;
    this.#store(events, player);
    this.#settleSoon();
  }

  #store(events: readonly WireEvent[], player: TranscriptPlayer, session = player.past.session): void {
    const { agent, store } = this.#options;
    const state = agent.adopt(player.seed, { ...player.past, session });
    store.write({ sessionID: player.seed.sessionID, events, checkpoint: { state, epoch: 0, seq: 0 } });
  }

  #settleSoon(): void {
    clearTimeout(this.#settle);
    this.#settle = setTimeout(() => {
      // What is being read now may say more, or nothing: then it is quiet after that.
      if (this.#reading) return this.#settleSoon();
      if (this.#player) this.#store(this.#player.settle(), this.#player);
    }, this.#options.settleMs);
    this.#settle.unref();
  }

  /** Folders rather than files: subagents begin files, and their folder, later. */
  #watch(found: readonly LocatedFile[]): void {
    const folders = new Set([...found.map(({ path }) => dirname(path)), this.#options.files.folder]);
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#watchFolder(folder);
  }

  #watchFolder(folder: string): void {
    try {
      const watcher = watch(folder, () => this.#onChange());
      watcher.on("error", () => this.#unwatch(folder));
      watcher.unref();
      this.#watchers.set(folder, watcher);
    } catch {
      // It is not there yet.
    }
  }

  #unwatch(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  #onChange(): void {
    this.refresh().catch((error: unknown) => {
      this.#options.log.error({ nativeID: this.nativeID, error }, "a transcript could not be followed");
    });
  }
}
