import { BlockID, type PendingBlock } from "../../schemas/index.js";
import type { Client } from "../client/index.js";
import { GatewayError } from "../gateway-error.js";
import { findSession } from "./find-session.js";
import { isNamed, oneOf } from "./name-match.js";
import { subjectOf } from "./terminal/describe-block.js";

/**
 * What waits by a name: the id of its block, the beginning or the end of it, or a session in which nothing else waits. An id
 * that waits no more is given back as it is: the gateway knows what became of it.
 */
export async function findBlock(client: Client, name: string): Promise<PendingBlock | string> {
  const { blocks } = await client.call("block.list", {});
  const known = blocks.find(({ block }) => block.id === name);
  if (known) return known;
  const found = oneBlock(
    blocks.filter(({ block }) => isNamed(block.id, name)),
    name,
  );
  if (found) return found;
  return BlockID.safeParse(name).success ? name : findInSession(client, name);
}

async function findInSession(client: Client, name: string): Promise<PendingBlock> {
  const sessionID = await sessionOf(client, name);
  const { blocks } = await client.call("block.list", { sessionID });
  const found = oneBlock(blocks, name);
  if (found) return found;
  throw new GatewayError("not_found", `nothing waits in ${sessionID}`, { hint: "`agentwire permit` lists what waits" });
}

async function sessionOf(client: Client, name: string): Promise<string> {
  try {
    return (await findSession(client, name)).id;
  } catch (error) {
    const isUnknown = error instanceof GatewayError && error.kind === "not_found";
    if (!isUnknown) throw error;
    const hint = "`agentwire permit` lists what waits";
    throw new GatewayError("not_found", `nothing that waits, and no session, is named ${name}`, { hint });
  }
}

function oneBlock(blocks: readonly PendingBlock[], name: string): PendingBlock | undefined {
  return oneOf(blocks, name, ({ block }) => `${block.id} ${subjectOf(block)}`);
}
