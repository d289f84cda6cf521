import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { WireEvent } from "../../../../schemas/index.js";
import { dialectOf } from "../../../../src/conformance/dialects.js";
import type { FinalDocument } from "../../../../src/store/reduce.js";
import { type Session, toldBy } from "../shared/told-by.js";

/** Each holds what the CLI wrote on its stream and what it wrote to disk in the same run, cut to what is read of them. */
const FIXTURES = fileURLToPath(new URL("fixtures", import.meta.url));

async function read(dialect: string, path: string) {
  const normalizer = dialectOf(dialect).normalizer({ check: true, final: true, directory: "/home/user/project" });
  const events: WireEvent[] = [];
  await normalizer.readPath(path, async (some) => void events.push(...some));
  return { normalizer, final: normalizer.final(), events };
}

/** Sessions by what they are of: the agent's own id of a subagent, and the session itself. */
function byThread(final: FinalDocument): Map<string, Session> {
  return new Map(
    final.sessions.map((session) => {
      const native = session.info.metadata?.native as { taskID?: string } | undefined;
      return [native?.taskID ?? "", session];
    }),
  );
}

describe.each(readdirSync(FIXTURES).sort())("%s", (name) => {
  const transcript = join(FIXTURES, name, "transcript");

  test("every law holds for the transcript, and every line is known", async () => {
    const { normalizer, final } = await read("claude-transcript", transcript);
    expect(normalizer.violations()).toEqual([]);
    expect([...normalizer.unknownKinds]).toEqual([]);
    expect(final.sessions.length).toBeGreaterThan(0);
  });

  test("stream and transcript tell the same", async () => {
    const stream = byThread((await read("claude", join(FIXTURES, name, "stream.jsonl"))).final);
    const written = byThread((await read("claude-transcript", transcript)).final);
    expect([...written.keys()].sort()).toEqual([...stream.keys()].sort());
    for (const [thread, session] of written) {
      const told = stream.get(thread);
      if (!told) throw new Error(`the stream says nothing of ${thread}`);
      const { tokens, ...rest } = toldBy(session);
      const { tokens: counted, ...expected } = toldBy(told);
      expect(rest).toEqual(expected);
      // On its stream the CLI counts what a subagent's model put out only up to its first word.
      const isMain = thread === "";
      expect(isMain ? tokens : { ...tokens, output: 0 }).toEqual(isMain ? counted : { ...counted, output: 0 });
    }
  });

  test("read twice it is the same", async () => {
    const [once, twice] = [await read("claude-transcript", transcript), await read("claude-transcript", transcript)];
    expect(twice.events).toEqual(once.events);
  });
});
