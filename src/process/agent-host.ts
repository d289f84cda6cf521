import type { AnyAdapter, LaunchSpec } from "../../adapters/contract.js";

/**
 * The seam between a session and its agent's process: `LocalAgentHost` answers it with children of this process,
 * `RemoteAgentHost` with those of a process that outlives it. Everything that passes is plain data: frames are numbered
 * and stamped on this side, so a gateway that lost its memory can be told what happened since a number.
 */
export interface AgentHost {
  /** Another one at each start: what was asked of one that is gone is not to be asked of the next. */
  readonly id: string;
  /** Starts a program. Returns at once; a failure to start is reported as an exit. */
  spawn(spec: SpawnSpec, key: ProcessKey, listener: AgentListener): AgentProcess;
  /** The processes that outlived the gateway which started them. */
  readonly survivors: readonly ProcessKey[];
  /**
   * Goes on with a survivor: its events after number `after` are told from now on, the old ones first. Undefined when it
   * is none. `channel` is that of its spawn.
   */
  attach(
    key: ProcessKey,
    channel: SpawnSpec["channel"],
    after: number,
    listener: AgentListener,
  ): AgentProcess | undefined;
  /** What a process did up to this number is stored, and need not be told again. */
  acknowledge(key: ProcessKey, seq: number): void;
  /** Lets go of every process without ending it, where they outlive this gateway. */
  leave(): void;
  /** Ends every process this host started, each within its kill ladder's bound. */
  close(): Promise<void>;
}

/** The number of a process's start among all that is asked of it. */
export const SPAWN_EFFECT = 0;

/** A process by the session it works for, and which of that session's it is, counted from 1. */
export interface ProcessKey {
  readonly owner: string;
  readonly epoch: number;
}

export interface SpawnSpec extends LaunchSpec {
  readonly command: string;
  /** Arguments that stand before those of the adapter (a script for an interpreter). */
  readonly commandArgs: readonly string[];
  readonly directory: string;
  readonly channel: AnyAdapter["channel"];
  /** The largest line the agent may write, in bytes. */
  readonly maxLineBytes: number;
}

/** One thing the agent's process did. `seq` counts from 1 within an epoch and `at` is when it was read. */
export type AgentEvent = { readonly epoch: number; readonly seq: number; readonly at: number } & (
  | { readonly kind: "frame"; readonly frame: unknown }
  /**
   * Bytes on stdout that are not a frame. Not an error: `noise` is a line of text, `strip` a prefix cut from a frame.
   * A long text is an excerpt.
   */
  | { readonly kind: "noise"; readonly text: string; readonly what: "noise" | "strip" }
  /** A frame that was cut or is too long: something the agent said is lost. */
  | { readonly kind: "fault"; readonly detail: string }
  /** The last event of an epoch, after everything that was on stdout. `error` tells why a program did not start. */
  | {
      readonly kind: "exit";
      readonly code: number | null;
      readonly signal: string | null;
      readonly stderr: string;
      readonly error?: string;
    }
);

export interface AgentListener {
  /**
   * Called while the output is read, in order. What it throws costs no other event: it goes to the host's
   * `onListenerError`, which by default throws it again as an uncaught exception.
   */
  onEvent(event: AgentEvent): void;
  onStderr?(text: string): void;
  /** A numbered effect was carried out. */
  onDone?(effect: number): void;
}

export interface AgentProcess {
  readonly epoch: number;
  readonly pid: number | undefined;
  /**
   * Queues one message; completes at once. What cannot be written after the process is gone is dropped. Throws a
   * TypeError for what is no frame of the channel, and writes nothing of it. `effect` is its number among all that the
   * session asks of this process: one that was carried out already is not done again.
   */
  send(frame: unknown, effect?: number): void;
  /** Begins the kill ladder at `end` (close stdin) or `kill` (SIGKILL of the process and its descendants). Repeatable. */
  stop(how: "end" | "kill", effect?: number): void;
  readonly exited: Promise<void>;
}

/** A child of this very process. */
export interface LocalProcess extends AgentProcess {
  /** While its output is not read the agent waits, once its pipe is full. */
  setReading(isRead: boolean): void;
}
