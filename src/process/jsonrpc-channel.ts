import { tokenOf } from "../../adapters/contract.js";
import type { Channel, Reading } from "./channel.js";
import { excerpt } from "./excerpt.js";
import { ndjsonChannel } from "./ndjson-channel.js";

const INVALID_REQUEST = -32600;
const FAULT_EXCERPT = 200;

type Message = Readonly<Record<string, unknown>>;

/**
 * JSON-RPC messages, one a line, as an adapter sees them: its own requests and their answers carry the `id` it gave, a
 * request of the agent carries a `token` in place of its id, and goes to the adapter once. The `jsonrpc` field is taken
 * and not needed. One of these serves one process: it remembers what was asked and not yet answered.
 */
export function createJsonrpcChannel(): Channel {
  const asked = new Set<string>();
  return {
    read: (line) => ndjsonChannel.read(line).flatMap((reading) => readMessages(reading, asked)),
    encode: (frame) => ndjsonChannel.encode(writeMessage(frame, asked)),
  };
}

/** A batch is its messages, in their order. */
function readMessages(reading: Reading, asked: Set<string>): Reading[] {
  if (reading.kind !== "frame") return [reading];
  const messages: readonly unknown[] = Array.isArray(reading.frame) ? reading.frame : [reading.frame];
  return messages.flatMap((message) => readMessage(message, asked));
}

function readMessage(message: unknown, asked: Set<string>): Reading[] {
  if (!isMessage(message)) return [fault("A JSON-RPC message must be an object", message)];
  const { id, jsonrpc: _, token: __, ...rest } = message;
  if (!("method" in message)) return [{ kind: "frame", frame: id === undefined ? rest : { id, ...rest } }];
  if (typeof message.method !== "string") return refuse(id, "the method is no text", message);
  if (id === undefined) return [{ kind: "frame", frame: rest }];
  if (!isID(id)) return refuse(null, "the id is neither text nor a number", message);
  const token = tokenOf(id);
  // An agent asks again when it is resumed, and is not asking anew.
  if (asked.has(token)) return [];
  asked.add(token);
  return [{ kind: "frame", frame: { token, ...rest } }];
}

/** Whoever asks must hear something: an agent waits for its answers without a limit. */
function refuse(id: unknown, why: string, message: Message): Reading[] {
  const error = { code: INVALID_REQUEST, message: `Invalid request: ${why}` };
  const line = ndjsonChannel.encode({ id: isID(id) ? id : null, error });
  return [{ kind: "answer", line }, fault(`A JSON-RPC request cannot be read, for ${why}`, message)];
}

function fault(why: string, message: unknown): Reading {
  return { kind: "fault", detail: `${why}: ${excerpt(JSON.stringify(message), FAULT_EXCERPT)}` };
}

function writeMessage(frame: unknown, asked: Set<string>): unknown {
  if (!isMessage(frame) || frame.token === undefined) return frame;
  const { token, ...answer } = frame;
  if ("result" in answer === "error" in answer) {
    throw new TypeError("An answer must have either a result or an error");
  }
  const id = idOf(token);
  asked.delete(tokenOf(id));
  return { id, ...answer };
}

function idOf(token: unknown): string | number {
  try {
    const id: unknown = JSON.parse(String(token));
    if (isID(id)) return id;
  } catch {
    // Told below.
  }
  throw new TypeError(`${excerpt(String(token), FAULT_EXCERPT)} is not the token of a request`);
}

function isID(id: unknown): id is string | number {
  return typeof id === "string" || typeof id === "number";
}

function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
