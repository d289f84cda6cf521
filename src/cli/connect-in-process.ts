import { type Client, connect } from "../client/index.js";
import { LocalSocket } from "../server/local-socket.js";
import type { ServerCore } from "../server/server-core.js";

/** A client of a gateway in this process: what it knows and may do is what a client over a network does. */
export function connectInProcess(core: ServerCore): Promise<Client> {
  class Socket extends LocalSocket {
    constructor() {
      super(core);
    }
  }
  return connect({ url: "ws://in-process", WebSocket: Socket, client: { name: "agentwire" } });
}
