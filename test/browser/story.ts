import { afterEach } from "vitest";
import { WebSocket } from "ws";
import { type Client, connect, type FinalDocument } from "../../src/client/index.js";
import { killGateway, Place, type Story as Plot, type Served } from "../integration/host/server.js";
import { Follower } from "./page/follower.js";
import type { FollowOptions } from "./page/page-api.js";

export type Transport = NonNullable<FollowOptions["transport"]>;
export const TRANSPORTS: readonly Transport[] = ["websocket", "http"];

const clients: Client[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

/** A turn that somebody started who has no browser, at a gateway where pages of one origin may connect. */
export class Story {
  private constructor(
    readonly place: Place,
    readonly origin: string,
    private served: Served,
    private readonly client: Client,
    private readonly follower: Follower,
  ) {}

  static async begin(origin: string, plot: Plot): Promise<Story> {
    const place = new Place(plot);
    const served = await place.serve("--allow-origin", origin);
    const reconnect = { minMs: 10, maxMs: 100 };
    const client = await connect({ url: served.url, token: place.token, WebSocket, reconnect });
    clients.push(client);
    const session = await client.createSession({ agent: "claude", directory: place.directory });
    const follower = new Follower(session.events({ snapshot: true }), session.id);
    const busy = follower.whenStatus("busy");
    await session.prompt("go");
    await busy;
    return new Story(place, origin, served, client, follower);
  }

  /** What a page needs to follow the turn. */
  options(transport: Transport): FollowOptions & { readonly token: string } {
    return { url: this.served.url, token: this.place.token, transport, sessionID: this.follower.sessionID };
  }

  /** Kills the gateway; resolves with the way to start it anew where it was. */
  async cut(): Promise<() => Promise<void>> {
    await killGateway(this.served);
    return async () => {
      const { port } = new URL(this.served.url);
      this.served = await this.place.serve("--port", port, "--allow-origin", this.origin);
    };
  }

  /** Waits for the end of the turn and marks it; resolves with what each follower then has, the one without a browser first. */
  async end(...others: readonly Pick<Follower, "documentWhenTitled">[]): Promise<FinalDocument[]> {
    await this.follower.whenStatus("idle");
    const title = "the end";
    await this.client.call("session.update", { sessionID: this.follower.sessionID, title });
    return Promise.all([this.follower, ...others].map((follower) => follower.documentWhenTitled(title)));
  }
}
