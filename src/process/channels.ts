import type { SpawnSpec } from "./agent-host.js";
import type { Channel } from "./channel.js";
import { createJsonrpcChannel } from "./jsonrpc-channel.js";
import { ndjsonChannel } from "./ndjson-channel.js";
import { textChannel } from "./text-channel.js";

/** The channels that are lines on stdin and stdout. */
export type LineChannel = Exclude<SpawnSpec["channel"], "http">;

const CHANNELS: Readonly<Record<LineChannel, () => Channel>> = {
  ndjson: () => ndjsonChannel,
  jsonrpc: createJsonrpcChannel,
  text: () => textChannel,
};

/** The channel of one process, of the kind its adapter names. */
export function createChannel(kind: LineChannel): Channel {
  return CHANNELS[kind]();
}
