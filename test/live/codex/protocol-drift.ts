import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createTwoFilesPatch } from "diff";
import { READ_METHODS, REFUSED_METHODS } from "../../../adapters/codex/frame.js";
import { UNREAD_NOTIFICATIONS } from "../../../adapters/codex/notifications.js";
import type { InstalledAgent } from "../install.js";
import { NATIVE_TYPES, nativeTypes, readProtocol } from "./native-types.js";

const METHOD = /"method": "([^"]+)"/g;

/** Holds the protocol that the CLI describes of itself against the methods that the adapter knows by name, and its types. */
export function protocolDrift(installed: InstalledAgent): Promise<string[]> {
  return readProtocol(installed, async (folder) => [
    ...(await methodDrift(folder)),
    ...(await typesDrift(await nativeTypes(folder))),
  ]);
}

async function methodDrift(folder: string): Promise<string[]> {
  const files = ["ServerNotification.ts", "ServerRequest.ts"].map((file) => join(folder, file));
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
}

/** How the types differ from those that are kept. */
export async function typesDrift(types: string): Promise<string[]> {
  const kept = await readFile(NATIVE_TYPES, "utf8");
  return kept === types ? [] : [createTwoFilesPatch(NATIVE_TYPES, "the CLI", kept, types)];
}
