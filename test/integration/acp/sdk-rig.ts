import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";
import type { Part, Session, ToolPart } from "../../../schemas/index.js";
import { Rig } from "../gateway/rig.js";

export const SDK_AGENT = fileURLToPath(new URL("fixtures/sdk-agent.mjs", import.meta.url));

export interface LogEntry {
  readonly [field: string]: unknown;
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function createFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-acp-")));
  folders.push(folder);
  return folder;
}

/** A gateway over the agent that is built with the protocol's SDK. */
export class SdkRig extends Rig {
  readonly agentFolder: string;

  constructor(options: readonly string[] = [], agentFolder = createFolder()) {
    super(
      { turns: [] },
      { agent: "acp", program: { command: process.execPath, args: [SDK_AGENT, agentFolder, ...options] } },
    );
    this.agentFolder = agentFolder;
  }

  /** Runs one prompt to its end in a new session, or in a known one. */
  async run(text: string, known?: string): Promise<string> {
    const sessionID = known ?? (await this.create());
    await this.prompt(sessionID, text);
    await this.idle(sessionID);
    return sessionID;
  }

  /** What the agent was asked and answered, in order. */
  get agentLog(): LogEntry[] {
    return readLog(this.agentFolder);
  }

  latest(field: string): unknown {
    return this.agentLog.findLast((entry) => field in entry)?.[field];
  }

  parts(sessionID: string): Part[] {
    return this.store.messages(sessionID, { limit: 100 }).flatMap(({ parts }) => parts);
  }

  tools(sessionID: string): ToolPart[] {
    return this.parts(sessionID).filter((part): part is ToolPart => part.type === "tool");
  }

  native(sessionID: string): Record<string, unknown> {
    return (this.session(sessionID).metadata?.native ?? {}) as Record<string, unknown>;
  }

  children(sessionID: string): Session[] {
    return this.store.children(sessionID);
  }

  last(sessionID: string) {
    const message = this.store.messages(sessionID, { limit: 100 }).at(-1)?.info;
    if (message?.role !== "assistant") throw new Error("the last message is no answer");
    return message;
  }
}

export function readLog(folder: string): LogEntry[] {
  const path = join(folder, "sdk-agent.log");
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}
