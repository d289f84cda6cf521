/** A text in the deltas that it streams in: by code point, so that none ends inside a surrogate pair. */
export function pieces(value: string, size = 24): string[] {
  const points = [...value];
  const count = Math.ceil(points.length / size);
  return Array.from({ length: count }, (_, index) => points.slice(index * size, (index + 1) * size).join(""));
}
