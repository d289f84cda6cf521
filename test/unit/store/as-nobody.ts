/** The superuser may write everything, so that a test of permissions needs another user. */
export function asNobody<T>(run: () => T): T {
  if (process.getuid?.() !== 0) return run();
  process.seteuid?.(65_534);
  try {
    return run();
  } finally {
    process.seteuid?.(0);
  }
}
