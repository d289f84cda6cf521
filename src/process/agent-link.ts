import type { AgentReporter } from "./agent-reporter.js";

/** How a child that runs is heard and spoken to. What it says is reported; none of this throws but `send`. */
export interface AgentLink {
  /** What the child wrote to its stdout. */
  push(chunk: Buffer): void;
  /** Nothing more comes from its stdout. */
  end(): void;
  /** Calls back when everything that the dead child has said was reported. */
  whenRead(done: () => void): void;
  /** Queues one frame. Throws a TypeError for what is none. */
  send(frame: unknown): void;
  /** Tells the child that nothing more will come, behind what is queued. */
  close(): void;
  /** The child is gone: lets go of everything. */
  drop(): void;
}

export type Report = AgentReporter["report"];
