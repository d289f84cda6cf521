import type { WireEvent } from "../../schemas/index.js";
import type { EventSource } from "./event-source.js";

/** A session and its descendants. A subagent's session joins with the event that announces it. */
export class SessionSet {
  private readonly members = new Set<string>();

  constructor(store: EventSource, rootID: string) {
    this.addWithChildren(store, rootID);
  }

  /** Whether the event belongs to one of them; takes note of a new child. */
  admits(event: WireEvent): boolean {
    if (event.type === "session.created" || event.type === "session.updated") {
      const { id, parentID } = event.properties.info;
      if (parentID !== undefined && this.members.has(parentID)) this.members.add(id);
    }
    return this.members.has(event.properties.sessionID);
  }

  private addWithChildren(store: EventSource, sessionID: string): void {
    if (this.members.has(sessionID)) return;
    this.members.add(sessionID);
    for (const child of store.children(sessionID)) this.addWithChildren(store, child.id);
  }
}
