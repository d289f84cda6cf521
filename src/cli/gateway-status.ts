import { readFileSync } from "node:fs";
import { AgentwireError } from "../client/client-error.js";
import { HttpLink } from "../client/http-link.js";
import type { ServerRecord } from "./server-record.js";

/** What a gateway says of its sessions; subagents count with their session. */
export interface GatewayStatus {
  readonly sessions: number;
  readonly working: number;
  /** What waits for a decision, an answer or a client. */
  readonly blocked: number;
}

const PAGE = 1000;

/** Asks a gateway how it is; throws when it refuses, or does not answer within the time. */
export async function readGatewayStatus({ url, tokenFile }: ServerRecord, timeoutMs: number): Promise<GatewayStatus> {
  const token = readFileSync(tokenFile, "utf8").trim();
  const link = new HttpLink({ url, token, fetch });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    link.close();
  }, timeoutMs);
  try {
    const { blocks } = await link.call("block.list", {});
    return { ...(await countSessions(link)), blocked: blocks.length };
  } catch (error) {
    if (!isLate) throw error;
    throw new AgentwireError("connection", `it does not answer within ${timeoutMs / 1000} s`);
  } finally {
    clearTimeout(timer);
    link.close();
  }
}

async function countSessions(link: HttpLink): Promise<Pick<GatewayStatus, "sessions" | "working">> {
  let sessions = 0;
  let working = 0;
  for (let before: string | undefined; ; ) {
    const page = await link.call("session.list", { archived: true, limit: PAGE, ...(before && { before }) });
    sessions += page.sessions.length;
    working += page.sessions.filter(({ status }) => status.type !== "idle").length;
    before = page.sessions.at(-1)?.id;
    if (page.sessions.length < PAGE) return { sessions, working };
  }
}
