import type {
  CallAttachment,
  Capability,
  ClientTool,
  DecidedBy,
  Decision,
  McpServer,
  MessageWithParts,
  Mode,
  PermissionRule,
  PromptPart,
  ReviewTarget,
  WireEvent,
} from "../schemas/index.js";
import type { AnyTranscriptReader, SessionPast } from "./transcript-reader.js";

/**
 * The whole seam between what an agent says and what the gateway says. An adapter is a pure function: it reads no
 * clock, draws no random number and touches no file or process. Times come with the input, ids from a counter in the
 * state, and what must happen outside is returned as outputs, which are carried out in their order.
 */
export interface Adapter<State, Frame> {
  readonly id: string;
  readonly name: string;
  /** The CLI version the golden traces were recorded from. */
  readonly testedVersion: string;
  /** How bytes become frames: one JSON value a line, JSON-RPC over such lines, plain text, or HTTP that the program serves. */
  readonly channel: "ndjson" | "jsonrpc" | "text" | "http";
  readonly capabilities: readonly Capability[];
  readonly modes: Readonly<Record<Mode, NativeMode>>;
  /** What `setOption` can change, and the type of its value. */
  readonly options: Readonly<Record<string, "string" | "number" | "boolean">>;
  /** The files that a prompt may carry; absent for an agent that takes none. */
  readonly files?: FileSupport;
  /** Where the program may be found: a command name on PATH, or a file inside an installed package. */
  readonly program: ProgramSpec;
  /** The arguments and environment of the program; throws `LaunchRefused` for options that cannot be honoured. */
  launch(options: LaunchOptions): LaunchSpec;
  /**
   * Reads one decoded frame; undefined for a kind this adapter does not know, but never for one that wants an answer: an
   * agent waits for that without a limit. Never throws.
   */
  parse(raw: unknown): Frame | undefined;
  /**
   * Two frames that came one right after the other as one that says the same; undefined where that cannot be said. What was
   * read together is joined before it is taken, so that a burst of deltas is one step.
   */
  join?(earlier: Frame, later: Frame): Frame | undefined;
  /** A short name of a frame's kind, for diagnostics and drift reports. */
  kindOf(raw: unknown): string;
  /** The state of a new session, and `session.created` as its first output. */
  init(seed: SessionSeed): Step<State>;
  step(state: State, input: Input<Frame>): Step<State>;
  /** A session that begins as a copy of another's `history`; absent for an agent that cannot do it. */
  fork?(state: State, seed: SessionSeed, history: readonly MessageWithParts[]): Step<State>;
  /** A frame as a golden trace keeps it: without the vendor's prose, which no test needs. What `step` reads stays. */
  trim(raw: unknown): unknown;
  /** Reads what a recording shows was sent to the agent back into commands; undefined for what is not one. */
  observe(state: State, sent: unknown): Command | undefined;
  /** Reads what a run of the agent's program prints that takes no commands; absent where nothing like it can be read. */
  readonly printed?: AnyPrintedStream;
  /**
   * Reads a line of a recording that was made elsewhere than at the program's pipes and has a form of its own: what came,
   * what was sent, or null for nothing. Undefined for a line that is like any other.
   */
  recorded?(line: unknown): { readonly kind: "frame" | "sent"; readonly frame: unknown } | null | undefined;
  /** Reads the transcripts the agent's own program keeps; absent where it keeps none that can be read. */
  readonly transcripts?: AnyTranscriptReader;
  /** The state of a session that began without the gateway: the next prompt goes on with the agent's own. */
  adopt?(seed: SessionSeed, past: SessionPast): State;
}

/** An adapter whose types only the adapter itself knows. */
// biome-ignore lint/suspicious/noExplicitAny: the state and frame types are private to each adapter
export type AnyAdapter = Adapter<any, any>;

/** What turns a stream that was made elsewhere into outputs. */
type StreamReader<State, Frame> = Pick<
  Adapter<State, Frame>,
  "id" | "parse" | "kindOf" | "init" | "step" | "join" | "fork" | "observe" | "recorded"
>;

/** A reader of streams whose types only itself knows. */
// biome-ignore lint/suspicious/noExplicitAny: the state and frame types are private to each
export type AnyStreamReader = StreamReader<any, any>;

/** Another stream of the agent's program than the one that the adapter drives. */
export interface PrintedStream<State, Frame> extends StreamReader<State, Frame> {
  /** The name it has among the dialects. */
  readonly dialect: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the state and frame types are private to each
type AnyPrintedStream = PrintedStream<any, any>;

export interface NativeMode {
  /** The agent's own name for the mode; empty where it has none. */
  readonly native: string;
  /** Whether the native mode means the same. An `unsupported` mode is refused, never weakened. */
  readonly fidelity: "exact" | "approximate" | "unsupported";
}

/** The kinds of files that may come as a `data:` URL, and as a `file:` URL: a MIME type, the first half of one, or `*`. */
export interface FileSupport {
  readonly inline: readonly string[];
  readonly linked: readonly string[];
}

export interface ProgramSpec {
  readonly command: string;
  /** npm packages that hold the native program, by `${platform}-${arch}`; none where somebody must name the program. */
  readonly packages: Readonly<Record<string, { readonly name: string; readonly file: string }>>;
  /** Makes the program print its version; empty for one that is not known to. */
  readonly versionArgs: readonly string[];
}

/** An agent that somebody declared by the protocol it speaks, without an adapter of its own. */
export interface DeclaredAgent {
  readonly id: string;
  readonly name: string;
  readonly command: string;
  /** Variables to set for its program. */
  readonly env: Readonly<Record<string, string>>;
}

export interface LaunchOptions {
  readonly directory: string;
  readonly mode: Mode;
  readonly model?: string;
  /** What the adapter asked for with its `spawn`. */
  readonly spawn?: SpawnOptions;
  readonly uid?: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface SpawnOptions {
  /** The agent's own id of a session to go on with. */
  readonly resume?: string;
  /** Go on with a copy of that session; `at` is the agent's own id of the last thing to keep. */
  readonly fork?: { readonly at?: string };
  readonly mcpServers?: Readonly<Record<string, McpServer>>;
}

export interface LaunchSpec {
  readonly args: readonly string[];
  /** Variables to set; undefined removes one that would be inherited. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How the program is reached over an `http` channel, and only there. */
  readonly http?: HttpService;
  /** How long the program may take to end when its input ends, in milliseconds, where that is not as with others. */
  readonly inputEndMs?: number;
}

/** What a program serves on loopback. It says its address on stdout. */
export interface HttpService {
  /** The path of its server-sent events. */
  readonly events: string;
  /** Who may ask, by basic authentication: a user, and the variable that tells the program the password made up for it. */
  readonly user: string;
  readonly passwordVariable: string;
}

/** What is sent over an `http` channel: one request, which is answered by a frame with the same token. */
export interface HttpRequest {
  readonly token: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  /** A JSON value; left out where there is none. */
  readonly body?: unknown;
}

/**
 * What an `http` channel tells beside the program's events, whose frames are the JSON values of their data: an answer, with
 * its body as JSON (as text where it is none, null where it is empty); a request that got none; and that the stream of
 * events is there, or there again after a break in which events may have been lost.
 */
export type HttpFrame =
  | { readonly token: string; readonly status: number; readonly body: unknown }
  | { readonly token: string; readonly failure: string }
  | { readonly stream: "open" | "reopened" };

/** Thrown by `launch` when options cannot be honoured; `field` names the option. */
export class LaunchRefused extends Error {
  override readonly name = "LaunchRefused";
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The timer whose `wake` the gateway sends by itself when a busy agent has said nothing for long. It only marks: nothing
 * is ended for it, since a healthy tool may run for hours.
 */
export const STALLED_TIMER = "stalled";

/** What a new session starts from. `idSeed` is the body that all its ids begin with. */
export interface SessionSeed {
  readonly at: number;
  readonly sessionID: string;
  readonly idSeed: string;
  readonly agent: string;
  readonly directory: string;
  readonly projectID: string;
  readonly title: string;
  readonly mode: Mode;
  readonly model?: string;
  readonly permission?: readonly PermissionRule[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** When a session that is stored already was archived. */
  readonly archived?: number;
  /** The session whose agent began this one as a subagent. */
  readonly parentID?: string;
  readonly mcpServers?: Readonly<Record<string, McpServer>>;
  /** Tools that the session's client carries out itself. */
  readonly tools?: readonly ClientTool[];
}

/** What a client, a rule or the gateway asks of a session. */
export type Command =
  | {
      readonly type: "prompt";
      readonly messageID?: string;
      readonly parts: readonly PromptPart[];
      readonly steer?: boolean;
      /** The agent's own id of the prompt, where a recording shows one. */
      readonly nativeID?: string;
    }
  /** Shorten the conversation, in a turn of its own; only for agents with the capability `compaction`. */
  | { readonly type: "compact"; readonly messageID?: string }
  /** Review changes, in a turn of its own; only for agents with the capability `review`. */
  | { readonly type: "review"; readonly messageID?: string; readonly target: ReviewTarget }
  | {
      readonly type: "reply";
      readonly blockID: string;
      readonly decision?: Decision;
      /** One of the block's options, by its id. */
      readonly optionID?: string;
      readonly answers?: readonly (readonly string[])[];
      /** What a tool that the client serves came to. */
      readonly output?: string;
      readonly error?: string;
      readonly attachments?: readonly CallAttachment[];
      readonly message?: string;
      readonly interrupt?: boolean;
      readonly decidedBy: DecidedBy;
    }
  /** `sessionID`: only the subagent with this session. */
  | { readonly type: "abort"; readonly keepQueue?: boolean; readonly sessionID?: string }
  /** The gateway that drove the agent's process is gone, and this one has taken it up: what happened since comes now. */
  | { readonly type: "reattached" }
  /** Start the agent's program without a prompt. */
  | { readonly type: "start" }
  /**
   * The session was not used for long: end its process, unless something is under way there or would be lost with it. What
   * comes before the process is gone waits for that, and the next prompt brings it back. Only for agents with the capability
   * `resume`.
   */
  | { readonly type: "hibernate" }
  | { readonly type: "setMode"; readonly mode: Mode }
  | { readonly type: "setModel"; readonly model: string }
  | { readonly type: "setOption"; readonly option: string; readonly value: unknown }
  | {
      readonly type: "update";
      readonly title?: string;
      readonly permission?: readonly PermissionRule[];
      readonly metadata?: Readonly<Record<string, unknown>>;
      readonly archived?: boolean;
    };

/** One thing that happened, with the time it happened at (milliseconds since the epoch). */
export type Input<Frame> = { readonly at: number } & (
  | { readonly kind: "command"; readonly command: Command }
  | { readonly kind: "frame"; readonly frame: Frame }
  /** A line or message that could not be read at all; `detail` says why. */
  | { readonly kind: "fault"; readonly detail: string }
  | ({ readonly kind: "exit" } & AgentExit)
  | { readonly kind: "wake"; readonly timer: string }
  /** What a `read` brought; null when the file is missing, unreadable or larger than allowed. */
  | { readonly kind: "file"; readonly token: string; readonly text: string | null }
);

/**
 * The end of the agent's process. `error` tells why it could not start. `lost` says that it ended with the gateway and
 * not in the middle of its work: what was open is closed, and nothing that waits is sent to a new process.
 */
export interface AgentExit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
  readonly error?: string;
  readonly lost?: boolean;
}

/** One thing to do. Wire events are stored before anything after them in the list is carried out. */
export type Output =
  | { readonly kind: "wire"; readonly event: WireEvent }
  /** Write one message to the agent. */
  | { readonly kind: "send"; readonly frame: unknown }
  /** Start the agent's program. */
  | ({ readonly kind: "spawn" } & SpawnOptions)
  /** `end` closes the agent's input and ends it, by force in the end; `kill` ends it at once. */
  | { readonly kind: "stop"; readonly how: "end" | "kill" }
  /** Send a `wake` after this long; a later one with the same timer replaces it, and `afterMs: null` takes it back. */
  | { readonly kind: "wake"; readonly timer: string; readonly afterMs: number | null }
  | { readonly kind: "read"; readonly token: string; readonly path: string; readonly maxBytes: number };

export interface Step<State> {
  readonly state: State;
  readonly outputs: readonly Output[];
}

/**
 * What stands for the JSON-RPC id of an agent's request in the frames of a `jsonrpc` channel: the id's JSON text. So `0`
 * and `"0"` stay apart, no id is falsy, and a notification that names a request by its id can be matched to it.
 */
export function tokenOf(id: string | number): string {
  return JSON.stringify(id);
}
