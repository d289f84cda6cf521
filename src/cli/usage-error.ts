/** The command line was wrong; the verb's usage is shown with it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
