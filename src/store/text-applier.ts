import { GatewayError } from "../gateway-error.js";
import type { DeltaEvent, GroupLog, JoinedDelta } from "./group-log.js";
import type { OpenPart, OpenParts } from "./open-parts.js";
import { appendDelta, type DeltaResult } from "./reduce-part.js";

/**
 * Deltas come by the thousand, so a delta that goes on where the last one of its part ended costs one look-up and one
 * `+`: it is only joined. The open part gets the joined text at once when it is needed or the group ends.
 */
export class TextApplier {
  readonly problems: GatewayError[] = [];

  constructor(
    private readonly open: OpenParts,
    private readonly log: GroupLog,
    private readonly now: number,
  ) {}

  append(event: DeltaEvent): void {
    const join = this.log.joinable(event.properties.partID);
    if (join !== undefined && goesOn(join.first.properties, join.text.length, event.properties)) {
      join.text += event.properties.delta;
      this.log.joinedDeltas += 1;
      return;
    }
    if (join !== undefined) this.#settleJoin(join);
    this.#appendToPart(event);
  }

  #appendToPart(event: DeltaEvent): void {
    const { sessionID, messageID, partID, field, offset, delta } = event.properties;
    const open = this.open.find(partID, this.now);
    if (open?.part.messageID !== messageID || open.part.sessionID !== sessionID) return;
    this.#take(event, open, appendDelta(open.part, field, offset, delta));
  }

  #take(event: DeltaEvent, open: OpenPart, { part, outcome, added }: DeltaResult): void {
    if (outcome === "appended") {
      this.open.grown(open, part);
      this.log.delta(event, added, open.lineage);
    } else if (outcome === "hole" && !open.holed) {
      this.open.holed(open);
      const { field, partID } = event.properties;
      this.problems.push(new GatewayError("internal", `Text is missing before a delta of ${field} of ${partID}`));
    }
  }

  /** Gives an open part the text that was only joined so far. */
  settle(partID: string): void {
    const join = this.log.joinable(partID);
    if (join !== undefined) this.#settleJoin(join);
  }

  settleAll(): void {
    for (const join of this.log.joins) this.#settleJoin(join);
  }

  #settleJoin(join: JoinedDelta): void {
    const { first, text, settled } = join;
    if (settled === text.length) return;
    join.settled = text.length;
    const { partID, field, offset } = first.properties;
    const open = this.open.get(partID);
    if (open !== undefined) this.open.grown(open, appendDelta(open.part, field, offset, text).part);
  }
}

type Delta = DeltaEvent["properties"];

function goesOn(first: Delta, length: number, next: Delta): boolean {
  return (
    next.offset === first.offset + length &&
    next.field === first.field &&
    next.messageID === first.messageID &&
    next.sessionID === first.sessionID
  );
}
