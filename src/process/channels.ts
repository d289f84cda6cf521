import type { SpawnSpec } from "./agent-host.js";
import type { Channel } from "./channel.js";
import { createJsonrpcChannel } from "./jsonrpc-channel.js";
import { ndjsonChannel } from "./ndjson-channel.js";
import { textChannel } from "./text-channel.js";

const CHANNELS: Readonly<Record<SpawnSpec["channel"], () => Channel>> = {
  ndjson: () => ndjsonChannel,
  jsonrpc: createJsonrpcChannel,
  text: () => textChannel,
};

/** The channel of one process, of the kind its adapter names. */
export function createChannel(kind: SpawnSpec["channel"]): Channel {
  return CHANNELS[kind]();
}
