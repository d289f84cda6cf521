import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { GatewayError } from "../gateway-error.js";
import { type AdmissionPolicy, checkSource, checkToken } from "./admission.js";
import { admit } from "./admit.js";
import { SUBPROTOCOL } from "./bearer-token.js";
import { Connection } from "./connection.js";
import type { Heartbeat } from "./heartbeat.js";
import { refuseUpgrade } from "./problem.js";
import type { ServerCore } from "./server-core.js";
import { websocketTransport } from "./websocket-transport.js";

export interface WebSocketFaceOptions {
  readonly core: ServerCore;
  readonly policy: AdmissionPolicy;
  readonly heartbeat: Heartbeat;
  readonly isClosing: () => boolean;
}

/** The WebSocket at `/`: who may open one, and all that are open. */
export class WebSocketFace {
  private readonly clients = new Map<WebSocket, Connection>();
  private readonly upgrader: WebSocketServer;

  constructor(private readonly options: WebSocketFaceOptions) {
    this.upgrader = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: options.core.limits.messageBytes,
      // On loopback it costs ten times what it saves.
      perMessageDeflate: false,
      handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
    });
  }

  get connections(): Connection[] {
    return [...this.clients.values()];
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    try {
      admit(this.options.core, request, () => this.check(request));
    } catch (thrown) {
      return refuseUpgrade(socket, GatewayError.from(thrown));
    }
    this.upgrader.handleUpgrade(request, socket, head, (client) => this.accept(client));
  }

  terminate(): void {
    for (const socket of this.clients.keys()) socket.terminate();
    this.clients.clear();
  }

  private check(request: IncomingMessage): void {
    checkSource(request, this.options.policy);
    if ((request.url ?? "/").split("?", 1)[0] !== "/") {
      throw new GatewayError("not_found", "There is no WebSocket here", { hint: "It is at /." });
    }
    checkToken(request, this.options.policy);
    if (this.options.isClosing()) throw new GatewayError("shutting_down", "The gateway is shutting down");
  }

  private accept(socket: WebSocket): void {
    const transport = websocketTransport(socket);
    const connection = new Connection(transport, this.options.core);
    this.clients.set(socket, connection);
    const pulse = this.options.heartbeat.watch({
      beat: () => socket.ping(),
      isExcused: () => connection.holdsBack,
      end: () => socket.terminate(),
    });
    socket.on("pong", pulse.revive);
    socket.on("message", pulse.revive);
    transport.outlet.onDrain(pulse.revive);
    socket.once("close", () => {
      pulse.stop();
      this.clients.delete(socket);
    });
  }
}
