import type { Store } from "../store/store.js";

/** What the server needs of the store to send events. */
export type EventSource = Pick<Store, "subscribe" | "cursor" | "changesAfter" | "part" | "session" | "children">;
