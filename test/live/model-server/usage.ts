import type { Usage } from "./script.js";

const USAGE: Usage = { input: 100, cached: 40, output: 20, thought: 5 };

export function usageOf(usage: Partial<Usage> = {}): Usage {
  return { ...USAGE, ...usage };
}
