import { once } from "node:events";
import { type ClientOptions, WebSocket } from "ws";
import type { Answer } from "../../unit/server/stream-peer.js";
import { WireClient } from "../../unit/server/wire-client.js";

export const TOKEN = "test-token-".padEnd(43, "x");

/** A client over a real WebSocket. */
export class WirePeer {
  readonly client = new WireClient();
  readonly frames: string[] = [];
  bytes = 0;
  private readonly answers: Answer[] = [];
  private readonly waiting = new Set<() => void>();

  private constructor(readonly socket: WebSocket) {
    socket.on("message", (data) => {
      const frame = data.toString();
      const message = JSON.parse(frame) as Answer;
      if (message.method === "events") {
        this.bytes += Buffer.byteLength(frame);
        this.frames.push(frame.replace(/"sub_\d+"/, '""'));
        this.client.receive(frame);
      } else this.answers.push(message);
      for (const wake of [...this.waiting]) wake();
    });
  }

  static async connect(url: string, options: ClientOptions = {}): Promise<WirePeer> {
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${TOKEN}` }, ...options });
    const peer = new WirePeer(socket);
    await once(socket, "open");
    return peer;
  }

  async request(id: number | string, method: string, params?: object): Promise<Answer> {
    this.socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    await this.until(() => this.answers.some((answer) => answer.id === id));
    return this.answers.find((answer) => answer.id === id) as Answer;
  }

  async answer(): Promise<Answer> {
    await this.until(() => this.answers.length > 0);
    return this.answers.shift() as Answer;
  }

  /** Resolves when the condition holds, which is looked at after every message. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.waiting.delete(wake);
          resolve();
        };
        this.waiting.add(wake);
      });
    }
  }

  async close(): Promise<void> {
    if (this.socket.readyState === WebSocket.CLOSED) return;
    const closed = once(this.socket, "close");
    this.socket.resume();
    this.socket.close();
    await closed;
  }
}
