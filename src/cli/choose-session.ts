import type { Session } from "../../schemas/index.js";
import type { Client } from "../client/index.js";
import { GatewayError } from "../gateway-error.js";
import { statusOf } from "./sessions/describe-session.js";
import { listRoots } from "./sessions/list-roots.js";
import { formatAge } from "./terminal/format-age.js";
import { formatTable } from "./terminal/format-table.js";
import { Keyboard } from "./terminal/keyboard.js";
import { Screen } from "./terminal/screen.js";

const MOST_OFFERED = 10;

/**
 * The one session that is at work. Where there are several, or none, a person at a terminal chooses; anybody else is told
 * those there are. Undefined: the person chose none.
 */
export async function chooseSession(client: Client): Promise<Session | undefined> {
  const roots = await listRoots(client, {});
  const atWork = roots.filter(({ status }) => status.type !== "idle");
  if (atWork.length === 1) return atWork[0];
  const offered = (atWork.length > 0 ? atWork : roots).slice(0, MOST_OFFERED);
  if (offered.length === 0) throw new GatewayError("not_found", "there is no session yet");
  if (process.stdin.isTTY) return askWhich(offered);
  const why = atWork.length > 0 ? "several sessions are at work" : "no session is at work";
  throw new GatewayError("invalid_params", `name a session: ${why}\n${tableOf(offered).trimEnd()}`);
}

async function askWhich(sessions: readonly Session[]): Promise<Session | undefined> {
  const keyboard = new Keyboard(new Screen(process.stderr));
  try {
    for (;;) {
      const answer = await keyboard.ask(`${tableOf(sessions)}number: `);
      if (answer === undefined) return undefined;
      const chosen = sessions[Number(answer.trim()) - 1];
      if (chosen) return chosen;
    }
  } finally {
    keyboard.close();
  }
}

function tableOf(sessions: readonly Session[]): string {
  const rows = sessions.map((session, i) => [
    `${i + 1}.`,
    session.id,
    session.agent,
    statusOf(session, []),
    formatAge(Date.now() - session.time.created),
    session.title || session.directory,
  ]);
  return formatTable([["", "session", "agent", "status", "age", "title"], ...rows]);
}
