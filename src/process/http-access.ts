import { randomBytes } from "node:crypto";
import type { HttpService } from "../../adapters/contract.js";

/** How one child's HTTP is reached: with a password that it alone is told, so that no other user of the machine gets in. */
export interface HttpAccess {
  readonly events: string;
  readonly authorization: string;
  /** Variables that tell the child the password. */
  readonly env: Readonly<Record<string, string>>;
}

export function createAccess({ events, user, passwordVariable }: HttpService): HttpAccess {
  const password = randomBytes(24).toString("base64url");
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  return { events, authorization, env: { [passwordVariable]: password } };
}
