/**
 * What the server tells that this adapter has no use for. It is named so that a kind that is not in any list is seen as what
 * it is: something new. The events of the second generation come only to who prompts by its own paths.
 */
const UNREAD_EVENTS: ReadonlySet<string> = new Set([
  "catalog.updated",
  "command.executed",
  "file.watcher.updated",
  "global.disposed",
  "integration.connection.updated",
  "integration.updated",
  "lsp.updated",
  "lsp.client.diagnostics",
  "mcp.browser.open.failed",
  "mcp.tools.changed",
  "message.part.removed",
  "message.removed",
  "models-dev.refreshed",
  "plugin.added",
  "reference.updated",
  "server.connected",
  "server.heartbeat",
  "server.instance.disposed",
  "session.deleted",
  // Each is told right behind a `session.status` that says the same.
  "session.idle",
  "skill.updated",
  "vcs.branch.updated",
]);

const UNREAD_FAMILIES = [
  "installation.",
  "permission.v2.",
  "project.",
  "pty.",
  "question.v2.",
  "session.next.",
  "tui.",
  "workspace.",
  "worktree.",
];

export function isUnreadEvent(type: string): boolean {
  return UNREAD_EVENTS.has(type) || UNREAD_FAMILIES.some((family) => type.startsWith(family));
}
