/** The name most like `wrong`, when one is like it at all: case and punctuation count for nothing. */
export function nearestName(wrong: string, names: readonly string[]): string | undefined {
  const plain = simplify(wrong);
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(plain.length / 3)) + 1;
  for (const name of names) {
    const distance = editDistance(plain, simplify(name));
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

/** A method name longer than any of ours by far is not worth the quadratic comparison. */
const LONGEST = 64;

const simplify = (name: string): string =>
  name
    .slice(0, LONGEST)
    .toLowerCase()
    .replace(/[^a-z]/g, "");

function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
