import type { Histogram } from "../histogram.js";

export type Labels = Readonly<Record<string, string>>;

interface Sample {
  readonly suffix?: "_bucket" | "_sum" | "_count";
  readonly labels: Labels;
  readonly value: number;
}

/** A metric with all its samples. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly samples: readonly Sample[];
}

/** One series of a metric. */
export type Series = readonly [labels: Labels, value: number];

const PREFIX = "agentwire_";

export const counter = (name: string, help: string, values: number | readonly Series[]): Family => {
  return { name: `${PREFIX}${name}_total`, help, type: "counter", samples: samplesOf(values) };
};

export const gauge = (name: string, help: string, values: number | readonly Series[]): Family => {
  return { name: PREFIX + name, help, type: "gauge", samples: samplesOf(values) };
};

export const histogram = (name: string, help: string, series: readonly (readonly [Labels, Histogram])[]): Family => {
  return { name: PREFIX + name, help, type: "histogram", samples: series.flatMap(histogramSamples) };
};

/** The text format of Prometheus, version 0.0.4. Everything in it comes in the same order each time. */
export function writeExposition(families: readonly Family[]): string {
  return families.map(writeFamily).join("");
}

function samplesOf(values: number | readonly Series[]): Sample[] {
  if (typeof values === "number") return [{ labels: {}, value: values }];
  const samples = values.map(([labels, value]) => ({ labels, value }));
  return samples.sort((a, b) => (writeLabels(a.labels) < writeLabels(b.labels) ? -1 : 1));
}

/** Each bucket holds those before it, too. */
function histogramSamples([labels, { bounds, counts, sum }]: readonly [Labels, Histogram]): Sample[] {
  let below = 0;
  const buckets = [...bounds, Number.POSITIVE_INFINITY].map((bound, place): Sample => {
    below += counts[place] ?? 0;
    return { suffix: "_bucket", labels: { ...labels, le: writeNumber(bound) }, value: below };
  });
  return [...buckets, { suffix: "_sum", labels, value: sum }, { suffix: "_count", labels, value: below }];
}

function writeFamily({ name, help, type, samples }: Family): string {
  const head = `# HELP ${name} ${escapeText(help)}\n# TYPE ${name} ${type}\n`;
  const lines = samples.map(({ suffix = "", labels, value }) => {
    return `${name}${suffix}${writeLabels(labels)} ${writeNumber(value)}\n`;
  });
  return head + lines.join("");
}

function writeLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeText(value).replaceAll('"', '\\"')}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapeText(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function writeNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  return value === Number.NEGATIVE_INFINITY ? "-Inf" : String(value);
}
