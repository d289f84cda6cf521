/** Writes to standard output and waits while its reader is behind. */
export function writeOut(text: string): Promise<void> {
  if (process.stdout.write(text)) return Promise.resolve();
  return new Promise((resolve) => process.stdout.once("drain", resolve));
}
