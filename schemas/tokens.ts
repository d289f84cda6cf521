import { z } from "zod";

const count = z.number().int().nonnegative();

/**
 * Tokens of one model response or of a sum of them. `input` is the uncached input; what came from or went to the
 * prompt cache stands beside it. `output` leaves out `reasoning` where the agent reports it apart.
 */
export const Tokens = z.object({
  input: count,
  output: count,
  reasoning: count,
  cache: z.object({ read: count, write: count }),
});
export type Tokens = z.infer<typeof Tokens>;

export const NO_TOKENS: Tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };

export function addTokens(a: Tokens, b: Tokens): Tokens {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
    cache: { read: a.cache.read + b.cache.read, write: a.cache.write + b.cache.write },
  };
}
