import { CLIENT_SERVER } from "../../schemas/index.js";
import { relativePath } from "../shared/relative-path.js";

/** What a native tool is on the wire, and what of its input a person reads. */
interface ToolInfo {
  readonly tool: string;
  readonly permission: string;
  /** The input field that says what is accessed. */
  readonly subject?: string;
  readonly isPath?: boolean;
}

const TOOLS: Record<string, ToolInfo> = {
  Bash: { tool: "bash", permission: "bash", subject: "command" },
  BashOutput: { tool: "bash_output", permission: "bash" },
  KillShell: { tool: "bash_kill", permission: "bash" },
  Read: { tool: "read", permission: "read", subject: "file_path", isPath: true },
  Edit: { tool: "edit", permission: "edit", subject: "file_path", isPath: true },
  MultiEdit: { tool: "edit", permission: "edit", subject: "file_path", isPath: true },
  Write: { tool: "write", permission: "edit", subject: "file_path", isPath: true },
  NotebookEdit: { tool: "edit", permission: "edit", subject: "notebook_path", isPath: true },
  Grep: { tool: "grep", permission: "grep", subject: "pattern" },
  Glob: { tool: "glob", permission: "glob", subject: "pattern" },
  LS: { tool: "list", permission: "list", subject: "path", isPath: true },
  WebFetch: { tool: "webfetch", permission: "webfetch", subject: "url" },
  WebSearch: { tool: "websearch", permission: "websearch", subject: "query" },
  // The init line lists the agent tool as Task, the model calls it Agent.
  Agent: { tool: "task", permission: "task", subject: "description" },
  Task: { tool: "task", permission: "task", subject: "description" },
  TodoWrite: { tool: "todowrite", permission: "todowrite" },
  TaskCreate: { tool: "todowrite", permission: "todowrite", subject: "subject" },
  TaskUpdate: { tool: "todowrite", permission: "todowrite", subject: "taskId" },
  TaskList: { tool: "todoread", permission: "todoread" },
  TaskGet: { tool: "todoread", permission: "todoread", subject: "taskId" },
  AskUserQuestion: { tool: "question", permission: "question" },
  ExitPlanMode: { tool: "plan", permission: "plan" },
  EnterPlanMode: { tool: "plan", permission: "plan" },
  Skill: { tool: "skill", permission: "skill", subject: "skill" },
};

const MCP_NAME = /^mcp__(.+?)__(.+)$/;

export interface CanonicalTool {
  readonly tool: string;
  readonly permission: string;
  readonly metadata: { readonly native: Readonly<Record<string, unknown>> };
}

/** What the session's client serves is the tool `client`, whatever the CLI reaches it by. */
function serverTool(server: string | undefined): string {
  return server === CLIENT_SERVER ? "client" : "mcp";
}

/** Whether a tool has the CLI's process do something later, by itself. */
export function setsTimer(name: string): boolean {
  return name === "CronCreate" || name === "ScheduleWakeup";
}

/** The canonical name of a native tool; the native one is kept. A tool this adapter does not know keeps its own name. */
export function canonicalTool(name: string): CanonicalTool {
  const mcp = MCP_NAME.exec(name);
  if (mcp) {
    const tool = serverTool(mcp[1]);
    return { tool, permission: tool, metadata: { native: { tool: name, server: mcp[1], name: mcp[2] } } };
  }
  const info = TOOLS[name];
  return {
    tool: info?.tool ?? name,
    permission: info?.permission ?? name,
    metadata: { native: { tool: name } },
  };
}

/** What is accessed, as permission patterns: a command, a path (relative inside the session's directory), a URL. */
export function patternsOf(name: string, input: Record<string, unknown>, directory: string): string[] {
  const mcp = MCP_NAME.exec(name);
  if (mcp?.[1] === CLIENT_SERVER) return [String(mcp[2])];
  if (mcp) return [`${mcp[1]}/${mcp[2]}`];
  const subject = subjectOf(name, input);
  if (subject === undefined) return ["*"];
  return [TOOLS[name]?.isPath ? relativePath(subject, directory) : subject];
}

/** A line for people: the tool and what it is about. */
export function titleOf(name: string, input: Record<string, unknown>, directory: string): string {
  const { tool } = canonicalTool(name);
  const mcp = MCP_NAME.exec(name);
  if (mcp?.[1] === CLIENT_SERVER) return String(mcp[2]);
  if (mcp) return `${mcp[1]}: ${mcp[2]}`;
  const subject = subjectOf(name, input);
  if (subject === undefined) return tool;
  return `${tool} ${TOOLS[name]?.isPath ? relativePath(subject, directory) : oneLine(subject)}`;
}

function subjectOf(name: string, input: Record<string, unknown>): string | undefined {
  const field = TOOLS[name]?.subject;
  const subject = field === undefined ? undefined : input[field];
  return typeof subject === "string" && subject !== "" ? subject : undefined;
}

const TITLE_LENGTH = 80;

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1)}…` : line;
}
