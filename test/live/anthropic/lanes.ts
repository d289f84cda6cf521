/**
 * The conversation a request belongs to: `LANE=<name>` in its first user message (a scenario writes it into the
 * prompt of a subagent), else `aux` for a request without tools, else `main`.
 */
export function laneOf(body: Readonly<Record<string, unknown>>): string {
  const marked = /LANE=([A-Za-z0-9_-]+)/.exec(firstUserText(body))?.[1];
  if (marked !== undefined) return marked;
  return Array.isArray(body.tools) && body.tools.length > 0 ? "main" : "aux";
}

function firstUserText(body: Readonly<Record<string, unknown>>): string {
  const messages = Array.isArray(body.messages) ? body.messages : [];
  const content: unknown = messages.find((entry) => entry?.role === "user")?.content;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block) => (typeof block?.text === "string" ? block.text : "")).join("\n");
}
