/** A string of this machine and what stands for it in a trace. */
export interface Placeholder {
  readonly value: string;
  readonly name: string;
}

/** Puts placeholders for strings of this machine, everywhere in a JSON value. The longest string goes first. */
export function hide<T>(value: T, placeholders: readonly Placeholder[]): T {
  const sorted = [...placeholders].sort((a, b) => b.value.length - a.value.length);
  return mapStrings(value, (text) =>
    sorted.reduce((result, { value: own, name }) => result.replaceAll(own, name), text),
  );
}

/** The other way round. */
export function reveal<T>(value: T, placeholders: readonly Placeholder[]): T {
  return mapStrings(value, (text) =>
    placeholders.reduce((result, { value: own, name }) => result.replaceAll(name, own), text),
  );
}

/** The placeholders of a session's directory and home; agents also name folders after a path with dashes for slashes. */
export function directoryPlaceholders(cwd: string, home: string): Placeholder[] {
  const dashed = (path: string) => path.replace(/[^A-Za-z0-9]/g, "-");
  return [
    { value: cwd, name: "${cwd}" },
    { value: dashed(cwd), name: "${cwd-dashed}" },
    { value: home, name: "${home}" },
    { value: dashed(home), name: "${home-dashed}" },
  ];
}

export function mapStrings<T>(value: T, change: (text: string) => string): T {
  if (typeof value === "string") return change(value) as T;
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [change(key), mapStrings(child, change)])) as T;
}
