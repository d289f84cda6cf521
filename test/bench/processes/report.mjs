/** How often a measurement is repeated. */
export const reps = Number(process.argv[2]);

/** Tells the parent what was measured: lists of numbers, one for each repetition. */
export function report(measures) {
  process.stdout.write(`${JSON.stringify(measures)}\n`);
}

export const divide = (subjects, floors) => subjects.map((subject, rep) => subject / floors[rep]);

export const quantile = (values, part) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
};
