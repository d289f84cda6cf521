/** One number of a row. Without a target it is only told. */
export interface Check {
  /** As the measured process names it. */
  readonly measure: string;
  readonly atMost?: number;
  /** A miss fails the run. */
  readonly required?: boolean;
}

export interface Row {
  readonly name: string;
  readonly what: string;
  /** A program in `processes/` and its arguments after the number of repetitions. */
  readonly program: string;
  readonly args?: readonly string[];
  readonly nodeArgs?: readonly string[];
  /** For a row that takes long. */
  readonly maxReps?: number;
  /** Measured only when it is named. */
  readonly onRequest?: boolean;
  /** What must be there before: gives a further argument of the program. */
  readonly prepare?: () => Promise<string>;
  readonly checks: readonly Check[];
}

/** What a measured process tells: for each measure a number of each repetition, or why it could not be measured. */
export type Measures = Readonly<Record<string, readonly number[] | string>>;

export interface Result {
  readonly row: string;
  readonly measure: string;
  readonly median: number;
  readonly least: number;
  readonly most: number;
  readonly atMost: number | undefined;
  readonly verdict: "PASS" | "FAIL" | "miss" | "";
  /** Why there is no number. */
  readonly notMeasured?: string;
}

/** The results of a row: those with a target first, then what else was told. */
export function judge(row: Row, measures: Measures): Result[] {
  const checked = row.checks.map((check) => resultOf(row, check, measures[check.measure] ?? []));
  const others = Object.keys(measures).filter((measure) => !row.checks.some((check) => check.measure === measure));
  return [...checked, ...others.map((measure) => resultOf(row, { measure }, measures[measure] ?? []))];
}

function resultOf(row: Row, { measure, atMost, required = false }: Check, told: readonly number[] | string): Result {
  const values = typeof told === "string" ? [] : told;
  const sorted = [...values].sort((a, b) => a - b);
  const median = ((sorted[(sorted.length - 1) >> 1] ?? Number.NaN) + (sorted[sorted.length >> 1] ?? Number.NaN)) / 2;
  const miss = required ? "FAIL" : "miss";
  const verdict = atMost === undefined ? "" : median <= atMost ? "PASS" : miss;
  const [least = median, most = median] = [sorted[0], sorted.at(-1)];
  const result = { row: row.name, measure, median, least, most, atMost, verdict } as const;
  return typeof told === "string" ? { ...result, verdict: "", notMeasured: told } : result;
}
