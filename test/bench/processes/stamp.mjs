// Times inside of texts. The clock is the machine's own, so that one process can read what another wrote.
const STAMP = /@(\d+)@/g;

export const now = () => process.hrtime.bigint();
export const stamp = () => `@${now()}@`;

/** How long ago, in milliseconds, each stamp in a text was made. */
export function agesIn(text, at = now()) {
  return [...text.matchAll(STAMP)].map(([, made]) => Number(at - BigInt(made)) / 1e6);
}
