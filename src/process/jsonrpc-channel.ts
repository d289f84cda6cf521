import { ErrorCodes, Message, type ResponseMessage } from "vscode-jsonrpc";
import { tokenOf } from "../../adapters/contract.js";
import type { Channel, Reading } from "./channel.js";
import { excerpt } from "./excerpt.js";
import { ndjsonChannel } from "./ndjson-channel.js";

const FAULT_EXCERPT = 200;

/** Some agents write the protocol's name, some leave it out: it is taken, and neither needed nor sent. */
type Bare<M extends Message> = Omit<M, "jsonrpc">;
type Fields = Readonly<Record<string, unknown>>;

/**
 * JSON-RPC messages, one a line, as an adapter sees them: its own requests and their answers carry the `id` it gave, a
 * request of the agent carries a `token` in place of its id, and goes to the adapter once. They come in the order of their
 * lines: an answer overtakes no notification that was written before it. One of these serves one process: it remembers
 * what was asked and not yet answered.
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

function readMessage(read: unknown, asked: Set<string>): Reading[] {
  if (!isRecord(read)) return [fault("A JSON-RPC message must be an object", read)];
  const { id, jsonrpc: _, token: __, ...rest } = read;
  const message = read as Fields & Message;
  if (Message.isNotification(message)) return [{ kind: "frame", frame: rest }];
  if (Message.isRequest(message)) return askOnce(tokenOf(message.id as string | number), rest, asked);
  if ("method" in read) return refuse(read);
  if (Message.isResponse(message)) return [{ kind: "frame", frame: { id, ...rest } }];
  return [fault("A JSON-RPC message is neither a request nor an answer", read)];
}

/** An agent asks again when it is resumed, and is not asking anew. */
function askOnce(token: string, rest: Fields, asked: Set<string>): Reading[] {
  if (asked.has(token)) return [];
  asked.add(token);
  return [{ kind: "frame", frame: { token, ...rest } }];
}

/** Whoever asks must hear something: an agent waits for its answers without a limit. */
function refuse({ id, method, ...rest }: Fields): Reading[] {
  const why = typeof method === "string" ? "the id is neither text nor a number" : "the method is no text";
  const error = { code: ErrorCodes.InvalidRequest, message: `Invalid request: ${why}` };
  const line = ndjsonChannel.encode({ id: isID(id) ? id : null, error } satisfies Bare<ResponseMessage>);
  return [{ kind: "answer", line }, fault(`A JSON-RPC request cannot be read, for ${why}`, { id, method, ...rest })];
}

function fault(why: string, message: unknown): Reading {
  return { kind: "fault", detail: `${why}: ${excerpt(JSON.stringify(message), FAULT_EXCERPT)}` };
}

/** What an adapter may send: a request, a notification, or the answer to what a token stands for. */
function writeMessage(frame: unknown, asked: Set<string>): Bare<Message> {
  if (!isRecord(frame)) throw new TypeError("A JSON-RPC message must be an object");
  if (frame.token !== undefined) return writeAnswer(frame, asked);
  const message = frame as Fields & Message;
  if (Message.isRequest(message) || Message.isNotification(message)) return message;
  throw new TypeError("A JSON-RPC message must have a method, or a token where it is an answer");
}

function writeAnswer({ token, ...answer }: Fields, asked: Set<string>): Bare<ResponseMessage> {
  if ("result" in answer === "error" in answer) {
    throw new TypeError("An answer must have either a result or an error");
  }
  const id = idOf(String(token));
  asked.delete(tokenOf(id));
  return { id, ...answer };
}

function idOf(token: string): string | number {
  try {
    const id: unknown = JSON.parse(token);
    if (isID(id)) return id;
  } catch {
    // Told below.
  }
  throw new TypeError(`${excerpt(token, FAULT_EXCERPT)} is not the token of a request`);
}

function isID(id: unknown): id is string | number {
  return typeof id === "string" || typeof id === "number";
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
