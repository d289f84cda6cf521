type Body = Readonly<Record<string, unknown>>;

/** An answer, or how to make it where it must name what the CLI made up, such as a subagent's id. */
export type LaneEntry<Response> = Response | ((body: Body) => Response);

export interface Turn<Response> {
  readonly lane: string;
  /** Counts from 1 within the lane. */
  readonly index: number;
  readonly response: Response;
}

export interface Dealing<Response> {
  readonly lanes: Readonly<Record<string, readonly LaneEntry<Response>[]>>;
  /** Which conversation a request belongs to. */
  laneOf(body: Body): string;
  /** An answer of one text. */
  say(text: string): Response;
  /** What side calls get (titles, checks of a model's name): they come when the CLI likes, and no scenario scripts them. */
  readonly aux: Response;
}

/** Deals out the scripted answers, each lane in its own order, however the requests of several lanes interleave. */
export class LaneDealer<Response extends object> {
  readonly #served = new Map<string, number>();
  readonly problems: string[] = [];

  constructor(private readonly dealing: Dealing<Response>) {}

  next(body: Body): Turn<Response> {
    const lane = this.dealing.laneOf(body);
    const index = (this.#served.get(lane) ?? 0) + 1;
    this.#served.set(lane, index);
    const entry = this.dealing.lanes[lane]?.[index - 1] ?? this.#exhausted(lane, index);
    return { lane, index, response: typeof entry === "function" ? entry(body) : entry };
  }

  /** The answers that nobody asked for: one line a lane. */
  unserved(): string[] {
    return Object.entries(this.dealing.lanes).flatMap(([lane, responses]) => {
      const left = responses.slice(this.#served.get(lane) ?? 0).filter((entry) => !isSpare(entry)).length;
      return left > 0 ? [`lane ${lane}: ${left} of ${responses.length} answers were never asked for`] : [];
    });
  }

  #exhausted(lane: string, index: number): Response {
    if (lane === "aux") return this.dealing.aux;
    this.problems.push(`lane ${lane}: request ${index} came after the last scripted answer`);
    return this.dealing.say(`[scripted model: lane ${lane} is exhausted]`);
  }
}

function isSpare(entry: object): boolean {
  return "spare" in entry && entry.spare === true;
}
