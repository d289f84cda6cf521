/** A metric as a text in the format of Prometheus tells it. */
export interface Parsed {
  readonly help: string;
  readonly type: string;
  /** By name and labels, as they are written. */
  readonly samples: ReadonlyMap<string, number>;
}

const SAMPLE =
  /^([a-zA-Z_:][\w:]*)((?:\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)+\})?) (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|NaN|[+-]Inf)$/;

/** Reads the text format strictly: each sample belongs to the metric whose HELP and TYPE stand right before it. */
export function parsePrometheus(text: string): Map<string, Parsed> {
  const families = new Map<string, Parsed>();
  let help: [name: string, text: string] | undefined;
  let current: { name: string; type: string; samples: Map<string, number> } | undefined;
  if (!text.endsWith("\n")) throw new Error("the text does not end with a line end");
  for (const line of text.slice(0, -1).split("\n")) {
    const [, word, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (word === "HELP") help = [name, rest];
    else if (word === "TYPE") {
      if (help?.[0] !== name) throw new Error(`no HELP before the TYPE of ${name}`);
      if (families.has(name)) throw new Error(`${name} comes twice`);
      current = { name, type: rest, samples: new Map() };
      families.set(name, { help: help[1], type: rest, samples: current.samples });
    } else addSample(current, line);
  }
  return families;
}

function addSample(
  family: { name: string; type: string; samples: Map<string, number> } | undefined,
  line: string,
): void {
  const [, name = "", labels = "", value = ""] = SAMPLE.exec(line) ?? [];
  const suffixes = family?.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
  if (!family || !suffixes.some((suffix) => name === family.name + suffix)) throw new Error(`a stray line: ${line}`);
  if (family.samples.has(name + labels)) throw new Error(`${name}${labels} comes twice`);
  family.samples.set(name + labels, Number(value.replace("Inf", "Infinity")));
}
