import { type Lanes, type ScriptedResponse, say } from "./script.js";

export interface Turn {
  readonly lane: string;
  /** Counts from 1 within the lane. */
  readonly index: number;
  readonly response: ScriptedResponse;
}

/** Deals out the scripted answers, each lane in its own order, however the requests of several lanes interleave. */
export class LaneDealer {
  readonly #served = new Map<string, number>();
  readonly problems: string[] = [];

  constructor(private readonly lanes: Lanes) {}

  next(body: Readonly<Record<string, unknown>>): Turn {
    const lane = laneOf(body);
    const index = (this.#served.get(lane) ?? 0) + 1;
    this.#served.set(lane, index);
    return { lane, index, response: this.lanes[lane]?.[index - 1] ?? this.#exhausted(lane, index) };
  }

  /** The answers that nobody asked for: one line a lane. */
  unserved(): string[] {
    return Object.entries(this.lanes).flatMap(([lane, responses]) => {
      const left = responses.length - (this.#served.get(lane) ?? 0);
      return left > 0 ? [`lane ${lane}: ${left} of ${responses.length} answers were never asked for`] : [];
    });
  }

  #exhausted(lane: string, index: number): ScriptedResponse {
    // Side calls (titles, checks of a model name) come when the CLI likes; no scenario scripts them.
    if (lane === "aux") return say("ok");
    this.problems.push(`lane ${lane}: request ${index} came after the last scripted answer`);
    return say(`[scripted model: lane ${lane} is exhausted]`);
  }
}

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
