import type {
  Decision,
  ErrorKind,
  Mode,
  PendingBlock,
  PermissionRule,
  PromptPart,
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
export interface Scenario<Script = unknown> {
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
  /** Variables for the CLI; they win over those of the runner. */
  readonly env?: Readonly<Record<string, string>>;
  readonly drive: (driver: Driver) => Promise<void>;
}

export interface ScenarioSession {
  readonly mode?: Mode;
  readonly model?: string;
  readonly permission?: readonly PermissionRule[];
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
}
