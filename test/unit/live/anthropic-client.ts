/** A minimal client of the Messages API, as a test needs it. */

export interface StreamEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

export const TOOLS = [{ name: "Bash" }];

export function ask(content: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { model: "test-model", stream: true, tools: TOOLS, messages: [{ role: "user", content }], ...more };
}

export function post(url: string, body: Record<string, unknown>, signal?: AbortSignal): Promise<Response> {
  return fetch(`${url}/v1/messages?beta=true`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

/** Reads the events of a stream one by one; ends with the stream, or throws where the connection breaks. */
export async function* eventsOf(response: Response): AsyncGenerator<StreamEvent> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    rest += decoder.decode(bytes, { stream: true });
    const frames = rest.split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) yield JSON.parse(frame.slice(frame.indexOf("data: ") + 6));
  }
}

export async function allEvents(response: Response): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of eventsOf(response)) events.push(event);
  return events;
}

/** The text, thinking and tool input of a stream, joined. */
export function written(events: readonly StreamEvent[]): string {
  return events
    .filter((event) => event.type === "content_block_delta")
    .map((event) => event.delta as Record<string, string | undefined>)
    .map((delta) => delta.text ?? delta.thinking ?? delta.partial_json ?? "")
    .join("");
}
