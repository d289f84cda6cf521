/**
 * What to do about an answer that did not come, where a page asked for it: a browser hides the gateway's refusal from a page
 * whose origin is not allowed, as if nobody had answered.
 */
export function originHint(url: string): string | undefined {
  // There is none in Node.
  const { origin } = globalThis as { readonly origin?: string };
  if (origin === undefined || origin === new URL(url).origin) return undefined;
  // A page from a file, which has no origin to be known by.
  if (origin === "null") return "Serve the page over HTTP, so that it has an origin that can be allowed.";
  return `Is the gateway running, and was it started with "--allow-origin ${origin}"?`;
}
