/** What a line says of its place: its own id, the id of the line before it, and what it is to the conversation. */
export interface Link {
  readonly uuid: string | undefined;
  readonly parent: string | undefined;
  readonly kind: "prompt" | "answer" | "other";
  /** The model response that an `answer` is of. */
  readonly responseID?: string;
}

export interface Place {
  readonly branch: number;
  /** How many prompts and responses the branch had with this line. */
  readonly depth: number;
  /** The prompt it follows, by its number in the branch. */
  readonly turn: number;
}

interface Branch {
  readonly from: { readonly branch: number; readonly depth: number } | null;
  depth: number;
  turn: number;
  responseID: string | undefined;
}

/**
 * The tree that `parentUuid` makes of a file. Results of parallel tools and what the CLI adds for the model hang where
 * they like, so only a prompt can begin a branch: one whose parent has other prompts or answers after it already. That
 * is so after the user went back to an earlier prompt, and when two processes write to one file.
 */
export class Lineage {
  readonly #places = new Map<string, Place>();
  readonly #branches: Branch[] = [{ from: null, depth: 0, turn: 0, responseID: undefined }];
  /** The branch that was written to last: the one the conversation goes on in. */
  #current = 0;

  get branches(): number {
    return this.#branches.length;
  }

  /** Where a line belongs; undefined for one that is there already, as some versions repeat them after a resume. */
  place(link: Link): Place | undefined {
    if (link.uuid !== undefined && this.#places.has(link.uuid)) return undefined;
    const parent = this.#places.get(link.parent ?? "");
    const index = this.#branchFor(link, parent);
    const branch = this.#branches[index];
    if (!branch) return undefined;
    this.#grow(branch, link);
    if (link.kind !== "other") this.#current = index;
    const place = { branch: index, depth: branch.depth, turn: branch.turn };
    if (link.uuid !== undefined) this.#places.set(link.uuid, place);
    return place;
  }

  /** Whether what stands at a place is part of the conversation as it goes on. */
  isLive(place: Place): boolean {
    let limit = Number.POSITIVE_INFINITY;
    for (let index: number | undefined = this.#current; index !== undefined; ) {
      if (index === place.branch) return place.depth <= limit;
      const from: Branch["from"] = this.#branches[index]?.from ?? null;
      limit = Math.min(limit, from?.depth ?? limit);
      index = from?.branch;
    }
    return false;
  }

  #branchFor(link: Link, parent: Place | undefined): number {
    const index = parent?.branch ?? this.#current;
    const depth = this.#branches[index]?.depth ?? 0;
    if (link.kind !== "prompt" || !parent || depth <= parent.depth) return index;
    this.#branches.push({
      from: { branch: index, depth: parent.depth },
      depth: parent.depth,
      turn: 0,
      responseID: undefined,
    });
    return this.#branches.length - 1;
  }

  #grow(branch: Branch, { kind, responseID }: Link): void {
    if (kind === "prompt") {
      branch.depth += 1;
      branch.turn += 1;
      branch.responseID = undefined;
    } else if (kind === "answer" && responseID !== branch.responseID) {
      branch.depth += 1;
      branch.responseID = responseID;
    }
  }
}
