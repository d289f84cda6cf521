import { type Lanes, type ScriptedResponse, say } from "./script.js";
import { userTextIn } from "./seen.js";

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
    const entry = this.lanes[lane]?.[index - 1] ?? this.#exhausted(lane, index);
    return { lane, index, response: typeof entry === "function" ? entry(body) : entry };
  }

  /** The answers that nobody asked for: one line a lane. */
  unserved(): string[] {
    return Object.entries(this.lanes).flatMap(([lane, responses]) => {
      const left = responses.length - (this.#served.get(lane) ?? 0);
      return left > 0 ? [`lane ${lane}: ${left} of ${responses.length} answers were never asked for`] : [];
    });
  }

  #exhausted(lane: string, index: number): ScriptedResponse {
    this.problems.push(`lane ${lane}: request ${index} came after the last scripted answer`);
    return say(`[scripted model: lane ${lane} is exhausted]`);
  }
}

/**
 * The conversation a request belongs to: `LANE=<name>` in what its user said (a subagent's task holds it), the name of a
 * subagent whose task is no message, else `main`.
 */
export function laneOf(body: Readonly<Record<string, unknown>>): string {
  // A model of the CLI's own that decides in the user's place.
  if (JSON.stringify(body.client_metadata ?? "").includes("guardian_review")) return "reviewer";
  const marked = /LANE=([A-Za-z0-9_-]+)/.exec(userTextIn({ body }))?.[1];
  return marked ?? /"\/root\/(\w+)\\?"/.exec(JSON.stringify(body.client_metadata ?? ""))?.[1] ?? "main";
}
