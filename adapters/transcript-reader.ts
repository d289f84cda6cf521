import type { Session } from "../schemas/index.js";
import type { Adapter, SessionSeed } from "./contract.js";

/** What turns inputs into outputs: an adapter, or the reader of an agent's transcripts. The laws hold for both. */
export interface Translator<State, Frame> extends Pick<Adapter<State, Frame>, "init" | "step" | "join" | "fork"> {
  /** Undefined for what is not known. */
  parse(raw: unknown): unknown;
}

/** A translator whose types only itself knows. */
// biome-ignore lint/suspicious/noExplicitAny: the state and frame types are private to each
export type AnyTranslator = Translator<any, any>;

/** What a file of a transcript is, as its path and, for some agents, its first line tell. */
export interface TranscriptFile {
  /** The agent's own id of the session. */
  readonly nativeID: string;
  /** Whose conversation it holds: the session's own where empty, else that of the subagent with this id. */
  readonly thread: string;
  /** `lines` grows by lines of JSON; `about` is one JSON value that is replaced as a whole. */
  readonly kind: "lines" | "about";
  /** What other files call it that go on from it. */
  readonly name?: string;
  /** It goes on from the first bytes of another file, which are not copied: what a fork has from its origin. */
  readonly base?: { readonly name: string; readonly bytes: number };
}

/** A line of a transcript, or what an `about` file holds. */
export interface TranscriptLine {
  readonly thread: string;
  /**
   * Its number in its file, from 0, or from `LINES_OF_BASE` for each file that its own goes on from. Ids follow from it, so
   * it must be the same however often the file is read. What an `about` file holds has none: `NO_LINE`.
   */
  readonly line: number;
  /** When it was written, in milliseconds since the epoch; a line that does not say it is as old as the one before. */
  readonly at: number | undefined;
  readonly raw: unknown;
}

export const NO_LINE = -1;

/** The lines of a file that goes on from another are numbered behind all that one can have. */
export const LINES_OF_BASE = 36 ** 4;

export interface ArrangedFrame<Frame> {
  readonly at: number;
  readonly frame: Frame;
}

/**
 * Puts the lines of one session's files in the order in which they are read: no line twice, what belongs together
 * together, and marked what is no longer part of the conversation.
 */
export interface TranscriptArranger<Frame> {
  add(line: TranscriptLine): void;
  /** Everything so far. */
  all(): ArrangedFrame<Frame>[];
  /** What came since the last `take` or `all`; undefined when that changed what stood before, so that all must be read again. */
  take(): ArrangedFrame<Frame>[] | undefined;
  /** How often each kind of line came that is not known. */
  readonly unknownKinds: ReadonlyMap<string, number>;
}

/** What is known of a session without reading all it says. */
export interface TranscriptHead {
  readonly nativeID: string;
  readonly directory: string;
  readonly startedAt: number;
  readonly lastAt: number;
  /** The title it was given; absent when it has none. */
  readonly title?: string;
  readonly firstPrompt?: string;
  /** Prompts and model responses. */
  readonly messages: number;
}

/** Hears the lines of a session's own file, one after the other. */
export interface TranscriptHeadReader {
  add(line: TranscriptLine): void;
  /** Undefined while the lines hold no conversation. */
  readonly head: TranscriptHead | undefined;
}

/** What an adapter must know of a session that began without it. */
export interface SessionPast {
  readonly nativeID: string;
  readonly session: Session;
  /** The newest creation time of a message: those to come are created later. */
  readonly lastCreated: number;
  readonly lastUserMessageID: string | null;
  /** What else the adapter goes on from, in its own form. */
  readonly own: unknown;
  /** The body of ids to come: they sort after all there are. */
  readonly idSeed: string;
}

/**
 * Reads what an agent's own program keeps of its conversations on disk. Pure, like an adapter: others find the files and
 * read them. `step` takes frames, an `exit` where the transcript ends, a `wake` of `SETTLED_TIMER` when nothing more comes
 * for now, and the files it asked for by a path below the session's own folder.
 */
export interface TranscriptReader<State, Frame> extends Translator<State, Frame> {
  /** The name it has among the dialects. */
  readonly dialect: string;
  kindOf(raw: unknown): string;
  /** The folder in which the agent keeps all transcripts. */
  folder(env: Readonly<Record<string, string | undefined>>, home: string): string;
  /** Whether `fileOf` needs the first line of a file. */
  readonly readsFirstLine: boolean;
  /** What a file is, by the segments of its path and its first line; undefined for one that holds nothing to read. */
  fileOf(path: readonly string[], first?: unknown): TranscriptFile | undefined;
  /** The folder that holds a session's other files, and those that it goes on from, by the path of its own file. */
  folderOf(path: string): string;
  /** When a line was written, as it says it. */
  timeOf(raw: unknown): string | undefined;
  headReader(): TranscriptHeadReader;
  seedOf(head: TranscriptHead, agent: string): SessionSeed;
  arranger(): TranscriptArranger<Frame>;
  pastOf(state: State): SessionPast;
  /** Files, below the agent's folder of configuration, that say which sessions are open in a terminal now. */
  readonly running?: RunningSessions;
}

export interface RunningSessions {
  folder(env: Readonly<Record<string, string | undefined>>, home: string): string;
  /** The session and the process that has it open. */
  read(raw: unknown): { readonly nativeID: string; readonly pid: number } | undefined;
}

/** A reader whose types only its adapter knows. */
// biome-ignore lint/suspicious/noExplicitAny: the state and frame types are private to each reader
export type AnyTranscriptReader = TranscriptReader<any, any>;

/** The timer whose `wake` says that a transcript is quiet: a response that ended is over then. */
export const SETTLED_TIMER = "settled";
