import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** Stands between clients and a server, and breaks connections off at any byte. */
export class UnsteadyLink {
  private readonly sockets = new Set<Socket>();
  /** How much more of what the server sends gets through. */
  private left = Number.POSITIVE_INFINITY;

  private constructor(private readonly server: Server) {}

  static async open(to: number): Promise<UnsteadyLink> {
    const server = createServer({ allowHalfOpen: false });
    const link = new UnsteadyLink(server);
    server.on("connection", (client) => link.join(client, connect(to, "127.0.0.1")));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return link;
  }

  get port(): number {
    return (this.server.address() as { port: number }).port;
  }

  /** Breaks every connection off once so many more bytes got through; connections that come after it are not touched. */
  cutAfter(bytes: number): void {
    this.left = Math.min(this.left, bytes);
    if (this.left === 0) this.cut();
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, "close");
  }

  private join(client: Socket, server: Socket): void {
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => {});
      socket.on("close", () => {
        this.sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    client.pipe(server);
    server.on("data", (chunk) => this.pass(chunk as Buffer, client));
  }

  private pass(chunk: Buffer, client: Socket): void {
    if (chunk.length <= this.left) {
      client.write(chunk);
      this.left -= chunk.length;
      return;
    }
    // What is written before the end still arrives.
    client.end(chunk.subarray(0, this.left));
    this.cut(client);
  }

  private cut(last?: Socket): void {
    this.left = Number.POSITIVE_INFINITY;
    for (const socket of this.sockets) if (socket !== last) socket.destroy();
  }
}
