/** In its two largest units: `1 h 5 min`, `12 s`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const units = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ] as const;
  const first = units.findIndex(([count]) => count > 0);
  const shown = first < 0 ? units.slice(-1) : units.slice(first, first + 2);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(" ");
}
