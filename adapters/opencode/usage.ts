import type { Tokens } from "../../schemas/index.js";
import type { NativeTokens } from "./frame.js";

/** The server's input leaves out what came from the cache, and its output the reasoning, as the wire does. */
export function tokensOf({ input, output, reasoning, cache }: NativeTokens): Tokens {
  const whole = (count: number) => Math.max(0, Math.round(count));
  return {
    input: whole(input),
    output: whole(output),
    reasoning: whole(reasoning),
    cache: { read: whole(cache.read), write: whole(cache.write) },
  };
}
