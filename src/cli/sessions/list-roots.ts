import type { Params, Session } from "../../../schemas/index.js";
import type { Client } from "../../client/index.js";

const PAGE = 1000;

/** Root sessions, the newest first, up to `most`. */
export async function listRoots(
  client: Pick<Client, "call">,
  query: Pick<Params<"session.list">, "agent" | "directory" | "archived">,
  most = Number.POSITIVE_INFINITY,
): Promise<Session[]> {
  const all: Session[] = [];
  for (;;) {
    const limit = Math.min(PAGE, most - all.length);
    const before = all.at(-1)?.id;
    const { sessions } = await client.call("session.list", {
      ...query,
      limit,
      ...(before !== undefined && { before }),
    });
    all.push(...sessions);
    if (sessions.length < limit || all.length >= most) return all;
  }
}
