import { pino } from "pino";
import { GatewayServer, type PortOptions } from "../../../src/server/gateway-server.js";
import { createServerCore, type ServerCoreOptions } from "../../../src/server/server-core.js";
import { FakeStore } from "../../unit/server/fake-store.js";
import { handlerOf } from "../../unit/server/stream-peer.js";
import { TOKEN, WirePeer } from "./wire-peer.js";

/** A server on a free loopback port, and all that a test opened on it. */
export class Serving {
  private readonly peers: WirePeer[] = [];

  private constructor(
    readonly server: GatewayServer,
    readonly store: FakeStore,
  ) {}

  static async start(options: Partial<PortOptions> = {}, core: Partial<ServerCoreOptions> = {}): Promise<Serving> {
    const store = new FakeStore();
    const server = await GatewayServer.listen(
      createServerCore({
        handler: handlerOf(() => ({})),
        store,
        version: "1.2.3",
        log: pino({ level: "silent" }),
        ...core,
      }),
      { port: 0, token: TOKEN, ...options },
    );
    return new Serving(server, store);
  }

  get port(): number {
    return Number(new URL(this.server.url).port);
  }

  async connect(
    ...args: Parameters<typeof WirePeer.connect> extends [string, ...infer Rest] ? Rest : never
  ): Promise<WirePeer> {
    const peer = await WirePeer.connect(this.server.websocketURL, ...args);
    this.peers.push(peer);
    return peer;
  }

  async stop(): Promise<void> {
    for (const peer of this.peers) await peer.close();
    await this.server.close();
  }
}
