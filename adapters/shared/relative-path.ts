/** A path as seen from the project; one outside of it stays whole. */
export function relativePath(path: string, directory: string): string {
  const root = directory.endsWith("/") ? directory : `${directory}/`;
  return path.startsWith(root) ? path.slice(root.length) : path;
}
