import type { SpawnSpec } from "./agent-host.js";
import type { Channel } from "./channel.js";
import { ndjsonChannel } from "./ndjson-channel.js";
import { textChannel } from "./text-channel.js";

/** The channel of each kind an adapter may name. */
export const CHANNELS: Readonly<Record<SpawnSpec["channel"], Channel>> = {
  ndjson: ndjsonChannel,
  // JSON-RPC is framed the same way. Keeping its request ids behind tokens belongs here, as a channel of its own that
  // wraps this one; until it exists, frames carry the agent's own ids.
  jsonrpc: ndjsonChannel,
  text: textChannel,
};
