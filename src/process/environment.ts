/** Tokens and settings of the gateway: never an agent's business. */
const OWN_PREFIX = "AGENTWIRE_";

export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The environment of a child: what the gateway inherited, without its own variables, changed as the adapter's launch
 * asks (undefined removes). Which inherited variables change an agent's behaviour only its adapter knows.
 */
export function buildEnvironment(
  base: Variables,
  changes: Variables,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  // Windows has one variable where a plain object has `Path` and `PATH`.
  const fold = platform === "win32" ? (name: string) => name.toUpperCase() : (name: string) => name;
  const changed = new Set(Object.keys(changes).map(fold));
  const inherited = Object.entries(base).filter(([name]) => {
    return !fold(name).startsWith(OWN_PREFIX) && !changed.has(fold(name));
  });
  const entries = [...inherited, ...Object.entries(changes)];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
