// Clients, here or in a process of their own: of the WebSocket, or of server-sent events where the url is http. `turn` resolves
// with what each of them saw of the next turn.
//   {url, subscribe?: {sessionID}, count = 1, read = "count", bytesPerSecond?, characters?, apart?}
import { fork } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { get } from "node:http";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import WebSocket from "ws";
import { readers } from "./client-readers.mjs";
import { throttle } from "./throttle.mjs";

const PROCESS = fileURLToPath(new URL("client-process.mjs", import.meta.url));
/** How many connections are opened at once: a server's queue of those it has not accepted is not endless. */
const AT_ONCE = 100;
/** A turn that lasts this long hangs. */
const TURN_MS = 180_000;

export function startClients(options) {
  return options.apart ? startProcess(options) : openClients(options);
}

export async function openClients({ count = 1, ...options }) {
  const turns = new EventEmitter();
  const seen = [];
  const onTurn = (report) => {
    if (seen.push(report) === count) turns.emit("turn", seen.splice(0));
  };
  const open = options.url.startsWith("http:") ? openStream : openClient;
  const sockets = [];
  while (sockets.length < count) {
    const length = Math.min(AT_ONCE, count - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length }, () => open(options, onTurn)))));
  }
  return {
    turn: async () => (await once(turns, "turn", { signal: AbortSignal.timeout(TURN_MS) }))[0],
    close: async () => {
      for (const socket of sockets) socket.terminate();
    },
  };
}

async function startProcess({ apart, ...options }) {
  const child = fork(PROCESS, [JSON.stringify(options)], { execArgv: [] });
  await once(child, "message");
  return {
    turn: async () => (await once(child, "message", { signal: AbortSignal.timeout(TURN_MS) }))[0],
    close: async () => {
      child.disconnect();
      await once(child, "exit");
    },
  };
}

/** A stream of server-sent events that is only counted. */
async function openStream({ url, subscribe, read = "count", ...options }, onTurn) {
  const request = get(`${url}/event?${new URLSearchParams(subscribe)}`, { agent: false });
  const [response] = await once(request, "response");
  const take = readers[read](true, options);
  let [messages, bytes, rest] = [0, 0, Buffer.alloc(0)];
  const onMessage = (data) => {
    messages += 1;
    const seen = take(data);
    if (seen === undefined) return;
    onTurn({ ...seen, messages, bytes });
    [messages, bytes] = [0, 0];
  };
  response.on("data", (chunk) => {
    bytes += chunk.length;
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(BLANK); end !== -1; end = rest.indexOf(BLANK)) {
      onMessage(rest.subarray(0, end));
      rest = rest.subarray(end + BLANK.length);
    }
  });
  await once(response, "data");
  return { terminate: () => response.destroy() };
}

const BLANK = "\n\n";

async function openClient({ url, subscribe, read = "count", bytesPerSecond, ...options }, onTurn) {
  let tcp;
  const createConnection = (to) => {
    tcp = connect(to);
    return tcp;
  };
  const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 2 ** 30, createConnection });
  await once(socket, "open");
  const take = readers[read](subscribe !== undefined, options);
  let [messages, bytesBefore] = [0, tcp.bytesRead];
  const onMessage = (data) => {
    messages += 1;
    const seen = take(data);
    if (seen === undefined) return;
    onTurn({ ...seen, messages, bytes: tcp.bytesRead - bytesBefore });
    [messages, bytesBefore] = [0, tcp.bytesRead];
  };
  if (subscribe) {
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "events.subscribe", params: subscribe }));
    // Events may come together with the answer, so they must be listened to at once.
    await new Promise((resolve) => socket.once("message", () => resolve(socket.on("message", onMessage))));
  } else socket.on("message", onMessage);
  if (bytesPerSecond) throttle(socket, tcp, bytesPerSecond);
  return socket;
}
