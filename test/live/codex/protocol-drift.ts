import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { READ_METHODS, REFUSED_METHODS } from "../../../adapters/codex/frame.js";
import { UNREAD_NOTIFICATIONS } from "../../../adapters/codex/notifications.js";
import type { InstalledAgent } from "../install.js";

const METHOD = /"method": "([^"]+)"/g;

/** Holds the protocol that the CLI describes of itself against the methods that the adapter knows by name. */
export async function protocolDrift({ path }: InstalledAgent): Promise<string[]> {
  const home = await mkdtemp(join(tmpdir(), "aw-protocol-"));
  try {
    const args = ["app-server", "generate-ts", "--experimental", "--out", join(home, "types")];
    await promisify(execFile)(path, args, { env: { PATH: process.env.PATH, HOME: home, CODEX_HOME: home } });
    const files = ["ServerNotification.ts", "ServerRequest.ts"].map((file) => join(home, "types", file));
    const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
    const told = new Set(texts.flatMap((text) => [...text.matchAll(METHOD)].map((match) => match[1] ?? "")));
    const known = new Set([...READ_METHODS, ...REFUSED_METHODS, ...UNREAD_NOTIFICATIONS]);
    return [
      ...[...told]
        .filter((method) => !known.has(method))
        .map((method) => `the CLI knows ${method}, the adapter does not`),
      ...[...known]
        .filter((method) => !told.has(method))
        .map((method) => `the adapter knows ${method}, the CLI does not`),
    ];
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
