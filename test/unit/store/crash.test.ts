import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { EventEnvelope } from "../../../schemas/index.js";
import { openStore } from "../../../src/store/open-store.js";
import { EMPTY_STATE, reduce } from "../../../src/store/reduce.js";

const WRITER = fileURLToPath(new URL("./crash-writer.ts", import.meta.url));
const ENOUGH = 200;

/** Kills the writer once it has published enough; returns all that it said. */
async function publishedBeforeKill(path: string): Promise<EventEnvelope[]> {
  const writer = spawn(process.execPath, ["--import", "tsx", WRITER, path], { stdio: ["ignore", "pipe", "inherit"] });
  const lines: string[] = [];
  for await (const line of createInterface({ input: writer.stdout })) {
    lines.push(line);
    if (lines.length === ENOUGH) writer.kill("SIGKILL");
  }
  // The last line may have been cut by the kill.
  return lines.slice(0, -1).map((line) => EventEnvelope.parse(JSON.parse(line)));
}

it("loses nothing that was published when it is killed", async () => {
  const directory = mkdtempSync(join(tmpdir(), "agentwire-store-"));
  const path = join(directory, "wire.db");
  try {
    const published = await publishedBeforeKill(path);
    expect(published.length).toBeGreaterThanOrEqual(ENOUGH - 1);
    const store = openStore({ path });
    const heard = published.reduce((state, { event }) => reduce(state, event), EMPTY_STATE);
    const last = published.findLast(({ cursor }) => cursor !== undefined)?.cursor;
    const changes = store.changesAfter(last, {}, 1e9);
    expect(changes.gap).toBe(false);
    // What the client missed, on top of what it heard, is all there is.
    const caughtUp = changes.events.reduce((state, { event }) => reduce(state, event), heard);
    const stored = store.messages("ses_1", { limit: 1e6 });
    expect(Object.keys(caughtUp.sessions.ses_1?.messages ?? {})).toHaveLength(stored.length);
    for (const { info, parts } of stored) {
      const message = caughtUp.sessions.ses_1?.messages[info.id];
      expect(message?.info).toEqual(info);
      expect(Object.values(message?.parts ?? {})).toEqual(parts);
    }
    expect(store.checkpoint("ses_1")?.seq).toBe(stored.length);
    store.close();
  } finally {
    rmSync(directory, { recursive: true });
  }
});
