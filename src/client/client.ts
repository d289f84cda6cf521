import type { Method, Params, Result } from "../../schemas/index.js";
import { ROUTES } from "../../schemas/routes.js";
import { type BackoffOptions, backoff } from "./backoff.js";
import { type BlockedListener, watchBlocks } from "./blocked-watch.js";
import { AgentwireError } from "./client-error.js";
import type { Link } from "./link.js";
import { SessionHandle } from "./session-handle.js";
import { type EventsOptions, Subscription } from "./subscription.js";

/** How often a request that only reads is made again when the connection breaks. */
const READ_ATTEMPTS = 5;

/** A gateway, over a connection that is made anew whenever it breaks. */
export class Client {
  private readonly subscriptions = new Set<Subscription>();
  private isClosed = false;

  constructor(
    private readonly link: Link,
    /** What the gateway is. */
    readonly gateway: Result<"initialize">,
    private readonly reconnect: BackoffOptions,
  ) {}

  /**
   * Any request. One that only reads is made again when the connection breaks; any other may have been done by then, so that
   * it fails with `connection` and its caller decides.
   */
  async call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
    const reads = ROUTES[method].verb === "GET";
    // Who subscribes and then asks for something hears what comes of it, also where both go over connections of their own.
    if (!reads) await Promise.all([...this.subscriptions].map(({ opened }) => opened));
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.link.call(method, params);
      } catch (error) {
        const again = reads && attempt < READ_ATTEMPTS && !this.isClosed;
        if (!again || !(error instanceof AgentwireError) || !error.isTemporary) throw error;
        await backoff(attempt - 1, this.reconnect);
      }
    }
  }

  session(id: string): SessionHandle {
    return new SessionHandle(this, id);
  }

  async createSession(params: Params<"session.create">): Promise<SessionHandle> {
    const { session } = await this.call("session.create", params);
    return this.session(session.id);
  }

  /** Events from now on, or as `options` say. The subscription is made at once, and not with the first event that is taken. */
  events(options: EventsOptions = {}): Subscription {
    if (this.isClosed) throw new AgentwireError("closed", "The client was closed");
    const subscription: Subscription = new Subscription({
      ...options,
      link: this.link,
      reconnect: this.reconnect,
      onEnd: () => this.subscriptions.delete(subscription),
    });
    this.subscriptions.add(subscription);
    return subscription;
  }

  /** Hears every tool that waits for an answer, in all sessions or in one and its children. Returns the way to stop. */
  onBlocked(listener: BlockedListener, sessionID?: string): () => void {
    const filter = sessionID === undefined ? {} : { sessionID };
    const events = this.events(filter);
    void watchBlocks(events, () => this.call("block.list", filter), listener);
    return () => events.stop();
  }

  /** Ends the connection; loops over events end, and requests fail with `closed`. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const subscription of [...this.subscriptions]) subscription.stop();
    this.link.close();
  }
}
