import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, expect, vi } from "vitest";
import type { AgentEvent, AgentProcess, SpawnSpec } from "../../../src/process/agent-host.js";
import { LocalAgentHost, type LocalAgentHostOptions } from "../../../src/process/local-agent-host.js";

type EventOf<Kind extends AgentEvent["kind"]> = Extract<AgentEvent, { kind: Kind }>;

export const onPosix = process.platform !== "win32";
const started = new Set<AgentProcess>();
const strays = new Set<number>();

/** Whatever a test left behind is killed here, also when it failed. */
afterEach(async () => {
  for (const agent of started) agent.stop("kill");
  for (const pid of strays) killQuietly(pid);
  const exits = [...started].map((agent) => agent.exited);
  started.clear();
  strays.clear();
  await Promise.all(exits);
});

/** Has the process killed after the test, come what may. */
export function watchPid(pid: number): number {
  strays.add(pid);
  return pid;
}

export function fixture(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}.mjs`, import.meta.url));
}

export function createSpec(change: Partial<SpawnSpec> = {}): SpawnSpec {
  return {
    command: process.execPath,
    commandArgs: [],
    args: [],
    env: {},
    directory: process.cwd(),
    channel: "ndjson",
    maxLineBytes: 64 * 1024 * 1024,
    ...change,
  };
}

interface Run {
  readonly agent: AgentProcess;
  readonly events: readonly AgentEvent[];
  readonly stderr: readonly string[];
  /** The first frame, once there is one. */
  readonly firstFrame: Promise<unknown>;
  /** Everything of one kind, once the agent has exited. */
  all<Kind extends AgentEvent["kind"]>(kind: Kind): Promise<readonly EventOf<Kind>[]>;
  exit(): Promise<EventOf<"exit">>;
}

export function startAgent(
  change: Partial<SpawnSpec>,
  options: LocalAgentHostOptions = {},
  host = new LocalAgentHost(options),
  onEvent: (event: AgentEvent) => void = () => {},
): Run {
  const events: AgentEvent[] = [];
  const stderr: string[] = [];
  let settleFirst: (event: AgentEvent) => void = () => {};
  const firstFrame = new Promise<unknown>((resolve, reject) => {
    settleFirst = (event) => {
      if (event.kind === "frame") resolve(event.frame);
      if (event.kind === "exit") reject(new Error(`no frame before the exit: ${JSON.stringify(events)}`));
    };
  });
  firstFrame.catch(() => {});
  const listener = {
    onEvent(event: AgentEvent) {
      events.push(event);
      settleFirst(event);
      onEvent(event);
    },
    onStderr: (text: string) => void stderr.push(text),
  };
  const agent = host.spawn(createSpec(change), { owner: "ses_1", epoch: 1 }, listener);
  started.add(agent);
  const all = async <Kind extends AgentEvent["kind"]>(kind: Kind) => {
    await agent.exited;
    return events.filter((event): event is EventOf<Kind> => event.kind === kind);
  };
  const exit = async () => {
    const exits = await all("exit");
    expect(exits).toHaveLength(1);
    expect(events.at(-1)).toBe(exits[0]);
    return exits[0] as EventOf<"exit">;
  };
  return { agent, events, stderr, firstFrame, all, exit };
}

export type PlayStep = ["out" | "err", string | Buffer] | ["input-end"] | ["exit", number] | ["signal", string];

/** A program that does these steps. */
export function play(...steps: readonly PlayStep[]): Partial<SpawnSpec> {
  const encoded = steps.map(([kind, value]) => {
    return kind === "out" || kind === "err" ? [kind, Buffer.from(value as Buffer).toString("base64")] : [kind, value];
  });
  return { commandArgs: [fixture("play")], args: [JSON.stringify(encoded)] };
}

export async function expectGone(...pids: readonly number[]): Promise<void> {
  await vi.waitFor(() => expect(pids.filter(isRunning)).toEqual([]), { timeout: 5_000, interval: 10 });
}

/** Dead processes that nobody has collected count as gone. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z ");
  } catch {
    return false;
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone, as it should be.
  }
}
