import { ADAPTERS, type AnyAdapter } from "../../adapters/index.js";
import { GatewayError } from "../gateway-error.js";
import { TranscriptNormalizer } from "../transcripts/transcript-normalizer.js";
import { StreamNormalizer } from "./normalize.js";
import type { Normalizer, NormalizerOptions } from "./normalizer.js";

/** Something that can be normalized. */
export interface Dialect {
  readonly summary: string;
  normalizer(options: NormalizerOptions): Normalizer;
}

/** Every input `normalize --from` takes, by name. */
export const DIALECTS: Readonly<Record<string, Dialect>> = Object.fromEntries(
  Object.values(ADAPTERS).flatMap((adapter) => [
    ...streamOf(adapter),
    ...printedOf(adapter),
    ...transcriptsOf(adapter),
  ]),
);

function streamOf(adapter: AnyAdapter): [string, Dialect][] {
  const summary = `${adapter.name}: its native stream, or a recording of it`;
  return [[adapter.id, { summary, normalizer: (options) => new StreamNormalizer(adapter, options) }]];
}

function printedOf({ name, printed }: AnyAdapter): [string, Dialect][] {
  if (!printed) return [];
  const summary = `${name}: what a run prints that takes no commands`;
  return [[printed.dialect, { summary, normalizer: (options) => new StreamNormalizer(printed, options) }]];
}

function transcriptsOf({ id, name, transcripts }: AnyAdapter): [string, Dialect][] {
  if (!transcripts) return [];
  const summary = `${name}: the transcript of a session, or a folder of them`;
  return [
    [transcripts.dialect, { summary, normalizer: (options) => new TranscriptNormalizer(transcripts, id, options) }],
  ];
}

export function dialectOf(name: string): Dialect {
  const dialect = Object.hasOwn(DIALECTS, name) ? DIALECTS[name] : undefined;
  if (dialect) return dialect;
  throw new GatewayError("not_found", `there is no dialect "${name}"`, {
    hint: `there are: ${Object.keys(DIALECTS).join(", ")}`,
  });
}
