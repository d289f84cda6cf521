import type {
  CallAttachment,
  ClientTool,
  Decision,
  ErrorKind,
  Method,
  Mode,
  Params,
  PendingBlock,
  PermissionRule,
  PromptPart,
  Result,
  WireEvent,
} from "../../schemas/index.js";

/** The directories of one run. `home` is outside of `cwd`; both are made anew for each run. */
export interface ScenarioDirs {
  readonly home: string;
  readonly cwd: string;
}

/**
 * One story told to a real CLI: what its model says, what its user does. `Script` is the dialect of the model server,
 * such as the lanes of `anthropic/script.ts`.
 */
export interface Scenario<Script = unknown, User extends Driver = Driver> {
  /** Kebab-case; the folder below `golden-traces/<adapter>/`. */
  readonly name: string;
  /** One sentence: what the reader of the trace sees happen. */
  readonly title: string;
  /** The promises that the trace proves, such as `text.streaming`. */
  readonly requirements: readonly string[];
  readonly script: (dirs: ScenarioDirs) => Script;
  /** Makes the files that the story needs. */
  readonly setup?: (dirs: ScenarioDirs) => Promise<void>;
  readonly session?: ScenarioSession;
  /** Fields of the final state that differ from run to run of this story, since the CLI is open about them. */
  readonly unsteady?: readonly string[];
  /** Variables for the CLI; they win over those of the runner. */
  readonly env?: Readonly<Record<string, string>>;
  readonly drive: (driver: User) => Promise<void>;
  /** How it goes on in another gateway, which has imported what the CLI kept. The trace does not hold it. */
  readonly takenOver?: (driver: User) => Promise<void>;
}

export interface ScenarioSession {
  readonly mode?: Mode;
  readonly model?: string;
  readonly permission?: readonly PermissionRule[];
  /** MCP servers by name. They run in the project's directory, so a relative path is one of the project. */
  readonly mcpServers?: Readonly<Record<string, StdioServer>>;
  /** Tools that the scenario serves itself. */
  readonly tools?: readonly ClientTool[];
}

/** A tool server that the agent starts and talks to over its stdin and stdout. */
export interface StdioServer {
  readonly command: string;
  readonly args: readonly string[];
}

/** A request that the model server answered, with its body as it came. */
export interface SeenRequest {
  readonly lane: string;
  /** Counts from 1 within the lane. */
  readonly index: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What a scenario may do with the model server while it runs. */
export interface ScriptedModel {
  readonly requests: readonly SeenRequest[];
  /** Lets the answers that wait at this gate go on, and every later one pass. */
  open(gate: string): void;
  /** Resolves when an answer stands at this gate. What was written before it may still be on its way to the client. */
  reached(gate: string): Promise<void>;
  /** Ends the answers that hang. */
  release(): void;
}

/** What a scenario may do as the user of the gateway. */
export interface Driver {
  readonly model: ScriptedModel;
  readonly cwd: string;
  readonly home: string;
  /** `session.prompt`; resolves with the id of the user message. */
  prompt(text: string, options?: PromptOptions): Promise<string>;
  /** Resolves when at least this many tools are blocked at once (default 1), the oldest first. */
  blocked(count?: number): Promise<PendingBlock[]>;
  reply(blockID: string, reply: BlockReply): Promise<void>;
  abort(): Promise<void>;
  /** The first event that matches since the last `until`, or since the start. */
  until(predicate: (event: WireEvent) => boolean): Promise<WireEvent>;
  /** Resolves when the session is idle and no prompt waits. */
  idle(): Promise<void>;
  killAgent(signal: "SIGKILL" | "SIGTERM"): void;
  /** Resolves when the request is refused with this kind of error; any other end is a failure. */
  expectError(kind: ErrorKind, request: Promise<unknown>): Promise<void>;
}

/** A driver that can also do what concerns other sessions than the scenario's own, and the agent's process. */
export interface FullDriver extends Driver {
  readonly sessionID: string;
  /** Any request about a session, such as `session.setMode`; about the scenario's own unless `sessionID` says else. */
  request<M extends SessionRequest>(method: M, params?: RequestParams<M>): Promise<Result<M>>;
  /** As `Driver.idle`, also for another session, such as a subagent's or a fork. */
  idle(sessionID?: string): Promise<void>;
  /** Throws the session's translator away and builds it anew from what is stored; the agent's process notices nothing. */
  rebuild(): void;
  /** Whether the agent's process runs. */
  agentRuns(): boolean;
  /** Resolves when the agent's process has ended and the gateway knows. */
  agentExited(): Promise<void>;
}

/** The requests that are about one session. */
export type SessionRequest = { [M in Method]: Params<M> extends { sessionID: string } ? M : never }[Method];
export type RequestParams<M extends SessionRequest> = Omit<Params<M>, "sessionID"> & { readonly sessionID?: string };

export interface PromptOptions {
  readonly delivery?: "queue" | "steer" | "reject";
  /** Parts behind the text. */
  readonly parts?: readonly PromptPart[];
}

export interface BlockReply {
  readonly decision?: Decision;
  readonly answers?: readonly (readonly string[])[];
  readonly message?: string;
  readonly interrupt?: boolean;
  /** One of the choices that the block itself offers, such as the mode in which an approved plan is carried out. */
  readonly optionID?: string;
  /** What a tool that the scenario serves came to. */
  readonly output?: string;
  readonly error?: string;
  readonly attachments?: readonly CallAttachment[];
}
