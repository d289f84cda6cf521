import type { Cursor, Part, Session, WireEvent, WireEventOf } from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import type { Blobs } from "./blobs.js";
import { equalJson } from "./equal-json.js";
import type { GroupLog } from "./group-log.js";
import type { OpenPart, OpenParts } from "./open-parts.js";
import type { RowWriter } from "./row-writer.js";
import type { SessionNode, SessionTree } from "./session-tree.js";
import type { Blob } from "./store.js";
import { TextApplier } from "./text-applier.js";
import type { Tombstone, Tombstones } from "./tombstones.js";

export interface ApplierParts {
  readonly rows: RowWriter;
  readonly blobs: Blobs;
  readonly tombstones: Tombstones;
  readonly sessions: SessionTree;
  readonly open: OpenParts;
  /** The revision that the next change will have. */
  nextRevision(): number;
  /** Takes that revision, now that something was changed at it. */
  takeRevision(): Cursor;
}

/** What `reduce` does to a state, done to the rows. What changes nothing is not logged, so that nobody hears it. */
export class EventApplier {
  readonly #conflicts: GatewayError[] = [];
  readonly #text: TextApplier;

  constructor(
    private readonly parts: ApplierParts,
    private readonly log: GroupLog,
    private readonly now: number,
  ) {
    this.#text = new TextApplier(parts.open, log, now);
  }

  /** What was asked for and could not be. */
  get problems(): readonly GatewayError[] {
    return [...this.#conflicts, ...this.#text.problems];
  }

  /** Every event was applied. */
  finish(): void {
    this.#text.settleAll();
  }

  apply(event: WireEvent): void {
    switch (event.type) {
      case "message.part.delta":
        this.#text.append(event);
        break;
      case "session.created":
      case "session.updated":
        this.#putSession(event, event.properties.info);
        break;
      case "session.status":
        this.#patchSession(event, { status: event.properties.status });
        break;
      case "session.error":
        this.#patchSession(event, { error: event.properties.error });
        break;
      case "session.deleted":
        this.#deleteSession(event.properties.sessionID);
        break;
      case "message.updated":
        this.#putMessage(event);
        break;
      case "message.removed":
        this.#removeMessage(event);
        break;
      case "message.part.updated":
        this.#putPart(event);
        break;
      case "message.part.removed":
        this.#removePart(event);
        break;
      case "todo.updated":
        this.#putTodos(event);
        break;
      case "session.compacted":
      case "file.edited":
      case "file.watcher.updated":
        this.log.transient(event, this.#lineage(event));
        break;
    }
  }

  #lineage(event: WireEvent): readonly string[] {
    const { sessionID } = event.properties;
    return this.parts.sessions.touch(sessionID)?.lineage ?? [sessionID];
  }

  #changed(event: WireEvent, lineage = this.#lineage(event)): void {
    this.log.durable(this.parts.takeRevision(), event, lineage);
  }

  #putSession(event: WireEvent, info: Session): void {
    const node = this.parts.sessions.place(info);
    if (this.#writeSession(node)) this.#changed(event, node.lineage);
  }

  #patchSession(event: WireEvent, patch: Partial<Session>): void {
    const node = this.parts.sessions.touch(event.properties.sessionID);
    if (node === undefined) return;
    const patched = { ...node, info: { ...node.info, ...patch } };
    if (this.#writeSession(patched)) this.#changed(event, node.lineage);
  }

  #writeSession(node: SessionNode): boolean {
    const place = { parentID: node.lineage.at(-2) ?? null, rootID: node.lineage[0] ?? node.info.id };
    const changed = this.parts.rows.session(node.info, place, this.parts.nextRevision());
    if (changed) this.parts.sessions.put(node);
    return changed;
  }

  /** Every session that goes is told apart, for those who hear only a child. */
  #deleteSession(sessionID: string): void {
    for (const id of this.parts.sessions.withDescendants(sessionID)) {
      const lineage = this.parts.sessions.get(id)?.lineage ?? [id];
      this.parts.rows.removeSession(id);
      this.parts.sessions.drop(id);
      this.#bury({ kind: "session.deleted", sessionID: id }, lineage);
      this.#changed({ type: "session.deleted", properties: { sessionID: id } }, lineage);
    }
    this.#forgetOpen((open) => open.lineage.includes(sessionID));
    this.parts.blobs.prune();
  }

  #bury(tombstone: Tombstone, lineage: readonly string[]): void {
    this.parts.tombstones.add(this.parts.nextRevision(), tombstone, lineage);
    this.parts.tombstones.prune();
  }

  #forgetOpen(isGone: (open: OpenPart) => boolean): void {
    for (const partID of this.parts.open.remove(isGone)) this.log.seal(partID);
  }

  #putMessage(event: WireEventOf<"message.updated">): void {
    const { sessionID, info } = event.properties;
    if (this.parts.rows.message(info, sessionID, this.parts.nextRevision())) this.#changed(event);
    else this.#checkOwner(info.id, this.parts.rows.sessionOfMessage(info.id), sessionID);
  }

  /** An id that stands elsewhere already is not taken over: a client chose it twice. */
  #checkOwner(id: string, owner: string | undefined, claimed: string): void {
    if (owner === undefined || owner === claimed) return;
    this.#conflicts.push(
      new GatewayError("conflict", `${id} belongs to ${owner}; the one of ${claimed} is not stored`),
    );
  }

  #removeMessage(event: WireEventOf<"message.removed">): void {
    const { sessionID, messageID } = event.properties;
    if (!this.parts.rows.removeMessage(sessionID, messageID)) return;
    const lineage = this.#lineage(event);
    this.#forgetOpen((open) => open.part.messageID === messageID);
    this.parts.blobs.prune();
    this.#bury({ kind: "message.removed", sessionID, messageID }, lineage);
    this.#changed(event, lineage);
  }

  /** Nobody is told what is large: only where it is. */
  #putPart(heard: WireEventOf<"message.part.updated">): void {
    const { sessionID } = heard.properties;
    const { part, blobs } = this.parts.blobs.lighten(heard.properties.part);
    const event = part === heard.properties.part ? heard : { ...heard, properties: { sessionID, part } };
    this.#text.settle(part.id);
    const ahead = this.parts.open.get(part.id)?.dirty ?? false;
    if (ahead && this.#isAsHeard(part)) return;
    if (this.parts.rows.part(part, sessionID, this.parts.nextRevision(), ahead)) this.#partChanged(event, blobs);
    else this.#checkOwner(part.id, this.parts.rows.messageOfPart(part.id), part.messageID);
  }

  #partChanged(event: WireEventOf<"message.part.updated">, blobs: readonly Blob[]): void {
    this.parts.blobs.keep(event.properties.part, blobs);
    const lineage = this.#lineage(event);
    this.parts.open.opened(event.properties.part, lineage, this.now);
    this.log.seal(event.properties.part.id);
    this.#changed(event, lineage);
  }

  /** A part whose row is behind its deltas is compared with what the deltas made of it. */
  #isAsHeard(part: Part): boolean {
    return equalJson(this.parts.open.get(part.id)?.part, part);
  }

  #removePart(event: WireEventOf<"message.part.removed">): void {
    const { sessionID, messageID, partID } = event.properties;
    if (!this.parts.rows.removePart(sessionID, messageID, partID)) return;
    const lineage = this.#lineage(event);
    this.#forgetOpen((open) => open.part.id === partID);
    this.parts.blobs.prune();
    this.#bury({ kind: "message.part.removed", sessionID, messageID, partID }, lineage);
    this.#changed(event, lineage);
  }

  #putTodos(event: WireEventOf<"todo.updated">): void {
    const { sessionID, todos } = event.properties;
    if (this.parts.rows.todos(sessionID, todos, this.parts.nextRevision())) this.#changed(event);
  }
}
