import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import { GatewayError } from "../gateway-error.js";

/** The real path of a session's directory, which must exist and lie in one of the roots, if there are any. */
export function realDirectory(directory: string, roots: readonly string[]): string {
  if (!isAbsolute(directory)) throw refused(`"${directory}" is not an absolute path`);
  const real = resolveReal(directory);
  if (real === undefined) throw refused(`the directory "${directory}" does not exist`);
  if (!statSync(real).isDirectory()) throw refused(`"${directory}" is not a directory`);
  if (roots.length > 0 && !isInside(real, roots)) {
    throw new GatewayError("forbidden", `"${directory}" is outside the directories that sessions may work in`, {
      field: "directory",
    });
  }
  return real;
}

/** Whether a path, wherever its links lead, lies in one of the roots. */
export function isInside(path: string, roots: readonly string[]): boolean {
  const real = resolveReal(path);
  return real !== undefined && roots.map(resolveReal).some((root) => root !== undefined && contains(root, real));
}

function resolveReal(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function contains(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function refused(message: string): GatewayError {
  return new GatewayError("invalid_params", message, { field: "directory" });
}
