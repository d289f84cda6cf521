import { posix } from "node:path";

/** Permissions whose patterns are paths: a relative one is meant inside the session's directory. */
const PATH_PERMISSIONS = new Set(["edit", "read", "list"]);

/**
 * Whether a pattern covers what is accessed. `*` stands for any text, `?` for one character; `*` alone covers
 * everything. Patterns of paths and the paths themselves are taken from the session's directory and straightened, so `**`
 * covers what is inside it and nothing else, and no detour leads around a pattern.
 */
export function matchPattern(permission: string, pattern: string, subject: string, directory: string): boolean {
  if (pattern === "*") return true;
  if (!PATH_PERMISSIONS.has(permission)) return toRegExp(pattern).test(subject);
  return toRegExp(absolute(pattern, directory)).test(absolute(subject, directory));
}

/** Whether a path goes up on its way. Where it leads then depends on links, which its text does not tell. */
export function isClimbing(permission: string, subject: string): boolean {
  return PATH_PERMISSIONS.has(permission) && subject.split("/").includes("..");
}

/** Whether a rule's permission name covers another: itself or `*`. */
export function matchPermission(rule: string, permission: string): boolean {
  return rule === "*" || rule === permission;
}

function absolute(path: string, directory: string): string {
  const isAbsolute = path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path);
  return posix.normalize(isAbsolute ? path : `${directory}/${path}`);
}

function toRegExp(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*+/g, "[\\s\\S]*")
    .replace(/\?/g, "[\\s\\S]");
  // "git *" is meant to cover "git" too.
  return new RegExp(`^${source.replace(/ \[\\s\\S\]\*$/, "( [\\s\\S]*)?")}$`);
}
