import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { GatewayError } from "../gateway-error.js";

const TOKEN_BYTES = 32;
/** A token must also fit into a WebSocket subprotocol name. */
const TOKEN = /^[A-Za-z0-9_-]{32,256}$/;
const OTHERS = 0o077;

/** The token in the file, which is created with a new one when there is no file. Only its owner may read it. */
export function readOrCreateToken(path: string): string {
  return readToken(path) ?? createToken(path);
}

/** The token in the file; undefined where there is no file. */
export function readToken(path: string): string | undefined {
  let text: string;
  try {
    checkMode(path);
    text = readFileSync(path, "utf8").trim();
  } catch (cause) {
    if (cause instanceof GatewayError) throw cause;
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new GatewayError("forbidden", `The token file ${path} cannot be read`, { cause });
  }
  if (TOKEN.test(text)) return text;
  throw new GatewayError("forbidden", `The token file ${path} holds no token: 32 or more letters, digits, "-" or "_"`, {
    hint: "Delete the file: a new one is created at the next start.",
  });
}

function checkMode(path: string): void {
  const { mode } = statSync(path);
  if (process.platform === "win32" || (mode & OTHERS) === 0) return;
  throw new GatewayError(
    "forbidden",
    `The token file ${path} can be read by others (mode ${(mode & 0o777).toString(8)})`,
    {
      hint: `Delete it, so that a new token is made; or, if nobody has seen it: chmod 600 '${path}'`,
    },
  );
}

/**
 * Written whole under another name and then linked, which fails when the file exists: of two gateways that start together
 * both use the token of the first, and none reads half of it.
 */
function createToken(path: string): string {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${token}\n`, { mode: 0o600, flag: "wx" });
    linkSync(draft, path);
    return token;
  } catch (cause) {
    const other = (cause as NodeJS.ErrnoException).code === "EEXIST" ? readToken(path) : undefined;
    if (other !== undefined) return other;
    throw new GatewayError("forbidden", `The token file ${path} cannot be created`, { cause });
  } finally {
    rmSync(draft, { force: true });
  }
}
