import type { Cursor } from "../../schemas/index.js";
import type { EventFilter } from "../store/store.js";
import type { EventFraming } from "./event-framing.js";
import type { EventGroup } from "./event-group.js";
import type { EventSource } from "./event-source.js";
import { growingPart } from "./growing-part.js";
import type { OpenParts } from "./open-parts.js";
import type { Outlet, TransportName } from "./outlet.js";
import { sendChanges } from "./send-changes.js";
import type { ServerLimits } from "./server-limits.js";
import { SubscriptionOutput } from "./subscription-output.js";

export interface SubscriberOptions {
  readonly id: string;
  readonly outlet: Outlet;
  readonly framing: EventFraming;
  readonly store: EventSource;
  readonly filter: EventFilter;
  readonly limits: ServerLimits;
  /** What changed after it is sent first. */
  readonly cursor: Cursor;
  /** The client was too slow, and is behind from now on. */
  readonly onOverflow: () => void;
  /** The subscriber can't go on; it has ended itself. */
  readonly onLost: (why: "gap" | "failed", cause?: unknown) => void;
  readonly onEnd: () => void;
}

/**
 * One subscription. Live, it is sent every group as it is published. When its transport is too slow it is *behind*: nothing
 * is queued for it, so it costs no memory, and once the transport has drained it is sent what changed since its cursor,
 * the rows as they stand, until it is live again. A new subscriber is simply behind from the cursor it asked for.
 */
export class Subscriber {
  readonly id: string;
  private state: "waiting" | "behind" | "live" | "ended" = "waiting";
  private cursor: Cursor;
  private readonly output: SubscriptionOutput;
  private readonly stopDrain: () => void;
  private catchingUp = false;
  /** The client has not been told yet that it was too slow. */
  private overflowed = false;
  /** How often it fell behind. */
  overflows = 0;

  constructor(private readonly options: SubscriberOptions) {
    this.id = options.id;
    this.cursor = options.cursor;
    this.output = new SubscriptionOutput(options.outlet, options.framing, options.limits);
    this.stopDrain = options.outlet.onDrain(() => this.drained());
  }

  get transport(): TransportName {
    return this.options.outlet.transport;
  }

  get isLive(): boolean {
    return this.state === "live";
  }

  /** Begins to send: the client knows the subscription's id. */
  start(): void {
    if (this.state !== "waiting") return;
    this.state = "behind";
    this.catchUp();
  }

  /** Takes a published group: sends it, or remembers that it was missed. */
  offer(group: EventGroup): void {
    if (this.state === "ended") return;
    if (this.state === "live" && this.deliver(group)) return;
    for (const { event } of group.events) this.output.parts.noteMissed(event);
  }

  end(): void {
    if (this.state === "ended") return;
    this.state = "ended";
    this.stopDrain();
    this.options.onEnd();
  }

  fail(cause: unknown): void {
    this.lose("failed", cause);
  }

  private deliver(published: EventGroup): boolean {
    // A catch-up may have read rows that were stored but not yet published: their older forms must not follow.
    const newer = published.after(this.cursor);
    const group = newer.events.length > 0 ? this.fillHoles(newer) : newer;
    if (!group || (group.events.length > 0 && !this.output.hasRoomFor(group.body.length))) {
      this.state = "behind";
      this.overflowed = true;
      this.overflows += 1;
      this.options.onOverflow();
      return false;
    }
    if (group.events.length > 0) this.output.sendGroup(group);
    if (group.cursor !== undefined && group.cursor > this.cursor) this.cursor = group.cursor;
    return true;
  }

  /**
   * A delta is of no use to a client that lacks the text before it, because it joined or came back while the text was
   * written. It is sent the part as it stands, and what the group says of that part is left out. Nothing: no room.
   */
  private fillHoles(group: EventGroup): EventGroup | undefined {
    const lacking = lackingParts(group, this.output.parts);
    for (const partID of lacking) {
      const part = this.options.store.part(partID);
      if (part && !this.output.sendWhole(part)) return undefined;
    }
    return lacking.length === 0 ? group : group.filter(({ event }) => !lacking.includes(growingPart(event) ?? ""));
  }

  private drained(): void {
    if (this.state === "behind" && this.output.pendingBytes <= this.options.limits.lowWaterBytes) this.catchUp();
  }

  private catchUp(): void {
    // A transport may tell of a drain while it is written to.
    if (this.catchingUp) return;
    this.catchingUp = true;
    try {
      if (this.overflowed) this.output.sendOverflow();
      this.overflowed = false;
      const complete = this.finishPart() && this.sendChangedRows();
      if (complete && this.state === "behind") this.state = "live";
    } catch (cause) {
      this.lose("failed", cause);
    } finally {
      this.catchingUp = false;
    }
  }

  /** A long text takes many drains: to ask the store for all changes at each of them would cost more than the text. */
  private finishPart(): boolean {
    const partID = this.output.unfinishedPart;
    const part = partID === undefined ? undefined : this.options.store.part(partID);
    return part === undefined || this.output.sendPart(part);
  }

  /** Nothing is published between the last page and the end of the catch-up, so nothing can be lost there. */
  private sendChangedRows(): boolean {
    const { store, filter, limits } = this.options;
    for (;;) {
      const changes = store.changesAfter(this.cursor, filter, limits.pageBytes);
      if (changes.gap) {
        this.lose("gap");
        return false;
      }
      const sent = sendChanges(changes.events, this.output);
      this.cursor = sent.all ? changes.cursor : (sent.cursor ?? this.cursor);
      if (!sent.all) return false;
      if (!changes.more) return true;
    }
  }

  private lose(why: "gap" | "failed", cause?: unknown): void {
    this.end();
    this.options.onLost(why, cause);
  }
}

/** The parts of a group whose deltas go on from a text that was not sent. */
function lackingParts(group: EventGroup, parts: OpenParts): readonly string[] {
  return group.continuations.filter((delta) => !parts.reaches(delta)).map(({ partID }) => partID);
}
