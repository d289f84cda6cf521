const DEFAULT_FOLDER = "golden-traces";

/** The folders that were named, or the project's own. */
export function traceFolders(args: readonly string[]): readonly string[] {
  return args.length > 0 ? args : [DEFAULT_FOLDER];
}
