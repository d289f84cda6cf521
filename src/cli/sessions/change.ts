import { z } from "zod";
import type { Session } from "../../../schemas/index.js";
import type { Client } from "../../client/index.js";
import { findSession } from "../find-session.js";
import { GATEWAY_FLAGS, GATEWAY_SHAPE } from "../gateway-options.js";
import { parseOptions } from "../parse-options.js";
import { withGateway } from "../reach-gateway.js";
import { safeText } from "../terminal/safe-text.js";
import { UsageError } from "../usage-error.js";

const Options = z.object(GATEWAY_SHAPE);

/** Does it, and says what was done. */
type Change = (client: Client, session: Session) => Promise<string>;

/** Changes one session by one request. */
function change(apply: Change): (args: readonly string[]) => Promise<number> {
  return async (args) => {
    const { options, positionals } = parseOptions(args, GATEWAY_FLAGS, Options);
    const [name, ...others] = positionals;
    if (name === undefined || others.length > 0) throw new UsageError("name one session");
    await withGateway(options, async (client) => {
      const session = await findSession(client, name);
      const done = await apply(client, session);
      process.stdout.write(`${done} ${session.id}${safeText(session.title && `  ${session.title}`)}\n`);
    });
    return 0;
  };
}

export const archive = change(async (client, { id: sessionID }) => {
  await client.call("session.update", { sessionID, archived: true });
  return "archived";
});

export const abort = change(async (client, { id: sessionID }) => {
  const { aborted } = await client.call("session.abort", { sessionID });
  return aborted ? "aborted the turn of" : "no turn ran in";
});

export const remove = change(async (client, { id: sessionID }) => {
  await client.call("session.delete", { sessionID });
  return "deleted";
});
