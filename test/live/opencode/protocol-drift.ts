import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { READ_EVENTS } from "../../../adapters/opencode/frame.js";
import { isUnreadEvent } from "../../../adapters/opencode/unread-events.js";
import type { InstalledAgent } from "../install.js";

/** Holds the events that the server describes of itself against those that the adapter knows by name. */
export async function protocolDrift({ path }: InstalledAgent): Promise<string[]> {
  const told = await describedEvents(path);
  return [
    ...told
      .filter((type) => !READ_EVENTS.includes(type) && !isUnreadEvent(type))
      .map((type) => `the server knows ${type}, the adapter does not`),
    ...READ_EVENTS.filter((type) => !told.includes(type)).map(
      (type) => `the adapter knows ${type}, the server does not`,
    ),
  ];
}

async function describedEvents(program: string): Promise<string[]> {
  const home = await mkdtemp(join(tmpdir(), "aw-protocol-"));
  const env = { PATH: process.env.PATH, HOME: home, OPENCODE_DISABLE_MODELS_FETCH: "1" };
  const server = spawn(program, ["serve", "--hostname", "127.0.0.1", "--port", "0"], {
    cwd: home,
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = new Promise((resolve) => server.once("close", resolve));
  try {
    const response = await fetch(`${await addressOf(server.stdout)}/doc`);
    return typesIn(await response.json());
  } finally {
    server.kill();
    await ended;
    await rm(home, { recursive: true, force: true });
  }
}

async function addressOf(stdout: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stdout })) {
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error("the server said no address");
}

interface EventSchema {
  readonly properties?: { readonly type?: { readonly enum?: readonly string[] } };
}

function typesIn(document: unknown): string[] {
  const { components } = document as { readonly components: { readonly schemas: Record<string, EventSchema> } };
  const events = Object.entries(components.schemas).filter(([name]) => /^Event[A-Z.]/.test(name));
  return [...new Set(events.flatMap(([, schema]) => schema.properties?.type?.enum ?? []))];
}
