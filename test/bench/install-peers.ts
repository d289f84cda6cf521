import { chmod } from "node:fs/promises";
import { join, resolve } from "node:path";
import { install, installNode } from "../live/install.js";

const FOLDER = resolve(".agents", "bench-peers");
const VERSIONS = { "stdio-to-ws": "0.2.0", acpx: "0.19.1", "sandbox-agent": "0.4.2" } as const;
type Peer = keyof typeof VERSIONS;

/** A peer's program and, for a script, what runs it; or why it is not there. */
type Installed = { readonly path: string; readonly node: string } | { readonly reason: string };

/** Installs what the `peers` row measures, each at a pinned version and without its install scripts. Gives JSON. */
export async function installPeers(): Promise<string> {
  const peers: Record<Peer, Installed> = {
    "stdio-to-ws": await orReason(() => installScript("stdio-to-ws", "dist/main.js")),
    acpx: await orReason(() => installScript("acpx", "dist/cli.js")),
    "sandbox-agent": await orReason(installSandboxAgent),
  };
  return JSON.stringify(peers);
}

async function installScript(name: Peer, file: string): Promise<Installed> {
  const { path } = await installPeer(name, name, file);
  // They want a newer Node than the gateway does.
  const node = await installNode(resolve(".agents"));
  return { path, node: node.path };
}

/** A native program in a package for each platform. */
async function installSandboxAgent(): Promise<Installed> {
  const { path } = await installPeer(
    "sandbox-agent",
    `@sandbox-agent/cli-${process.platform}-${process.arch}`,
    "bin/sandbox-agent",
  );
  await chmod(path, 0o755);
  return { path, node: process.execPath };
}

function installPeer(peer: Peer, name: string, file: string) {
  const version = VERSIONS[peer];
  return install({ folder: join(FOLDER, `${peer}@${version}`), name, file, specs: [`${peer}@${version}`], version });
}

/** A peer that cannot be had is told in the table, and costs no other row. */
async function orReason(run: () => Promise<Installed>): Promise<Installed> {
  try {
    return await run();
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}
