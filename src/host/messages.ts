import type { AgentEvent, ProcessKey, SpawnSpec } from "../process/agent-host.js";

/** What a gateway and the agent host must agree on; a host of another version is ended and started anew. */
export const HOST_PROTOCOL = 1;

/** An event as it is kept and sent: its process is named beside it. */
export type HostEvent = AgentEvent extends infer E ? (E extends AgentEvent ? Omit<E, "epoch"> : never) : never;

/** What a gateway says. `effect` is the number of what is asked, as in `AgentProcess`. */
export type ToHost =
  /** The first message. `takeOver`: another gateway that is connected shall leave. */
  | { readonly type: "hello"; readonly protocol: number; readonly pid: number; readonly takeOver: boolean }
  /** The environment of the spec is the whole that the agent gets: the host's own is of another time. */
  | { readonly type: "spawn"; readonly key: ProcessKey; readonly spec: SpawnSpec }
  | { readonly type: "attach"; readonly key: ProcessKey; readonly after: number }
  /** `frame`, or for a channel of lines one line behind the message. */
  | { readonly type: "send"; readonly key: ProcessKey; readonly effect: number | null; readonly frame?: unknown }
  | { readonly type: "stop"; readonly key: ProcessKey; readonly effect: number | null; readonly how: "end" | "kill" }
  | { readonly type: "acknowledge"; readonly key: ProcessKey; readonly seq: number }
  /** End every agent, and then the host. */
  | { readonly type: "close" };

/** What the host says. */
export type FromHost =
  | {
      readonly type: "welcome";
      readonly protocol: number;
      readonly id: string;
      readonly processes: readonly HostedInfo[];
    }
  /** Another gateway is connected, and was not to leave. */
  | { readonly type: "refused"; readonly pid: number }
  /** Another gateway takes over: this one must leave. */
  | { readonly type: "replaced"; readonly pid: number }
  | { readonly type: "started"; readonly key: ProcessKey; readonly pid: number | null }
  /** Lines of a process behind the message, numbered from `seq` on, all read at `at`. */
  | { readonly type: "lines"; readonly key: ProcessKey; readonly seq: number; readonly at: number }
  | { readonly type: "event"; readonly key: ProcessKey; readonly event: HostEvent }
  | { readonly type: "stderr"; readonly key: ProcessKey; readonly text: string }
  | { readonly type: "done"; readonly key: ProcessKey; readonly effect: number }
  | { readonly type: "closed" };

/** What the host says of one process. */
export type AboutProcess = Extract<FromHost, { readonly key: ProcessKey }>;

/** A process that the host runs, or whose end was not acknowledged. */
export interface HostedInfo {
  readonly key: ProcessKey;
  readonly pid: number | null;
}

export function nameOf({ owner, epoch }: ProcessKey): string {
  return `${owner} ${epoch}`;
}
