import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { WebSocket } from "ws";
import { ERROR_TABLE } from "../../../../schemas/index.js";
import { LineSplitter } from "../../../../src/line-splitter.js";
import { GatewayServer } from "../../../../src/server/gateway-server.js";
import type { ServerCore } from "../../../../src/server/server-core.js";
import { serveStdio } from "../../../../src/server/stdio-server.js";
import type { WireClient } from "../../../unit/server/wire-client.js";
import { HttpPeer } from "../http-peer.js";
import type { Heard, Outcome, Peer, TransportUnderTest } from "./peer.js";
import { type RpcLine, RpcPeer } from "./rpc-peer.js";

/** Lines over a pair of real streams: a socket has the buffers that a pipe has, and both ends in this process. */
const NDJSON: TransportUnderTest = {
  name: "ndjson",
  serve: async (core) => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      // Whoever owns the streams closes them: the server of stdio never does.
      socket.on("error", () => {});
      void serveStdio(core, { input: socket, output: socket }).then(() => socket.destroy());
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    return {
      port,
      connect: async (at = port) => {
        const socket = connect(at, "127.0.0.1");
        sockets.add(socket);
        await once(socket, "connect");
        return new RpcPeer(streamLine(socket));
      },
      stop: async () => {
        for (const socket of sockets) socket.destroy();
        server.close();
        await once(server, "close");
      },
    };
  },
};

function streamLine(socket: Socket): RpcLine {
  socket.on("error", () => {});
  return {
    send: (text) => socket.write(`${text}\n`),
    onMessage: (listener) => readLines(socket, listener),
    onClose: (listener) => socket.on("close", listener),
    drop: () => socket.destroy(),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  };
}

/** Nothing that follows the last line end is a message: the connection broke there. */
function readLines(socket: Socket, listener: (line: string) => void): void {
  const lines = new LineSplitter({ onLine: listener, onOverlong: () => {} }, Number.MAX_SAFE_INTEGER);
  socket.on("data", (chunk) => lines.push(chunk as Buffer));
}

const WEBSOCKET: TransportUnderTest = {
  name: "WebSocket",
  serve: async (core) => {
    const { server, port } = await listen(core);
    return {
      port,
      connect: async (at = port) => {
        const socket = new WebSocket(`ws://127.0.0.1:${at}/`);
        socket.on("error", () => {});
        await once(socket, "open");
        return new RpcPeer(socketLine(socket));
      },
      stop: () => server.close(),
    };
  },
};

function socketLine(socket: WebSocket): RpcLine {
  return {
    send: (text) => socket.send(text),
    onMessage: (listener) => socket.on("message", (data) => listener(data.toString())),
    onClose: (listener) => socket.on("close", listener),
    drop: () => socket.terminate(),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  };
}

/** What stands before the server has another port, so any port will do in `Host`. */
async function listen(core: ServerCore): Promise<{ server: GatewayServer; port: number }> {
  const options = { port: 0, token: null, closeMs: 100, allowedHosts: ["127.0.0.1", "localhost"] };
  const server = await GatewayServer.listen(core, options);
  return { server, port: Number(new URL(server.url).port) };
}

const HTTP: TransportUnderTest = {
  name: "HTTP and SSE",
  serve: async (core) => {
    const { server, port } = await listen(core);
    const peers: HttpPeer[] = [];
    return {
      port,
      connect: async (at = port) => {
        const http = new HttpPeer({ port: at }, undefined);
        peers.push(http);
        return httpPeer(http);
      },
      stop: async () => {
        for (const peer of peers) peer.close();
        await server.close();
      },
    };
  },
};

function httpPeer(http: HttpPeer): Peer {
  return {
    call: async (method, params) => outcomeOf(await http.call(method, params)),
    subscribe: (params, client) => subscribe(http, params, client),
  };
}

async function subscribe(http: HttpPeer, params?: Record<string, unknown>, client?: WireClient): Promise<Heard> {
  const stream = await http.subscribe(params, {}, client);
  if (stream.response.statusCode !== 200) throw await stream.problem();
  const result = await stream.subscribed();
  return {
    result,
    client: stream.client,
    get batches() {
      return stream.batches.filter((batch) => batch.length > 0);
    },
    get overflows() {
      return stream.messages.filter(({ data }) => data.overflow === true).length;
    },
    get lost() {
      return stream.ended;
    },
    until: (condition) => stream.until(condition),
    drop: () => stream.close(),
    pause: () => stream.response.pause(),
    resume: () => stream.response.resume(),
  };
}

/** A problem says what the `data` of a JSON-RPC error says, and what is of HTTP agrees with the one table. */
function outcomeOf({ status, body }: Awaited<ReturnType<HttpPeer["call"]>>): Outcome {
  if (status === 200) return { result: body };
  const { type, title, status: told, detail, ...data } = body;
  const error = { ...data, message: detail } as NonNullable<Outcome["error"]>;
  const { httpStatus, title: expected } = ERROR_TABLE[error.kind];
  const known = type === `urn:agentwire:error:${error.kind}` && title === expected;
  if (!known || status !== httpStatus || told !== httpStatus)
    throw new Error(`an odd problem: ${JSON.stringify(body)}`);
  return { error };
}

export const TRANSPORTS: readonly TransportUnderTest[] = [NDJSON, WEBSOCKET, HTTP];
