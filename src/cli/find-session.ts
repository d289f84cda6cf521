import { type Session, SessionID } from "../../schemas/index.js";
import { AgentwireError, type Client } from "../client/index.js";
import { GatewayError } from "../gateway-error.js";
import { isNamed, oneOf } from "./name-match.js";
import { listRoots } from "./sessions/list-roots.js";

/**
 * The session of a name: its id, the beginning or the end of a root session's id, or `last` for the newest one at work, or
 * the newest of all. None is `not_found`; several are `invalid_params`, which lists them.
 */
export async function findSession(client: Client, name: string): Promise<Session> {
  if (name === "last") return findLast(client);
  const session = SessionID.safeParse(name).success ? await getSession(client, name) : undefined;
  if (session) return session;
  const roots = await listRoots(client, { archived: true });
  const found = oneOf(
    roots.filter(({ id }) => isNamed(id, name)),
    name,
    ({ id, title }) => `${id} ${title}`,
  );
  if (found) return found;
  throw new GatewayError("not_found", `there is no session ${name}`, { hint: "`agentwire sessions` lists them" });
}

async function findLast(client: Client): Promise<Session> {
  const roots = await listRoots(client, {});
  const last = roots.find(({ status }) => status.type !== "idle") ?? roots[0];
  if (last) return last;
  throw new GatewayError("not_found", "there is no session yet");
}

async function getSession(client: Client, sessionID: string): Promise<Session | undefined> {
  try {
    return (await client.call("session.get", { sessionID })).session;
  } catch (error) {
    if (error instanceof AgentwireError && error.kind === "not_found") return undefined;
    throw error;
  }
}
