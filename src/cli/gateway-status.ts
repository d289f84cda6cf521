import { readFileSync } from "node:fs";
import { AgentwireError } from "../client/client-error.js";
import { HttpLink } from "../client/http-link.js";
import type { ServerRecord } from "./server-record.js";
import { listRoots } from "./sessions/list-roots.js";

/** What a gateway says of its sessions; subagents count with their session. */
export interface GatewayStatus {
  readonly sessions: number;
  readonly working: number;
  /** What waits for a decision, an answer or a client. */
  readonly blocked: number;
}

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
    const roots = await listRoots(link, { archived: true });
    const working = roots.filter(({ status }) => status.type !== "idle").length;
    return { sessions: roots.length, working, blocked: blocks.length };
  } catch (error) {
    if (!isLate) throw error;
    throw new AgentwireError("connection", `it does not answer within ${timeoutMs / 1000} s`);
  } finally {
    clearTimeout(timer);
    link.close();
  }
}
