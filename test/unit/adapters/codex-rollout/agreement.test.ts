import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { WireEvent } from "../../../../schemas/index.js";
import { dialectOf } from "../../../../src/conformance/dialects.js";
import { finalOf } from "../../../../src/conformance/laws/events.js";
import { replay } from "../../../../src/conformance/replay.js";
import { eventsOf } from "../../../../src/conformance/run.js";
import { readTrace } from "../../../../src/conformance/trace.js";
import type { FinalDocument } from "../../../../src/store/reduce.js";
import { type Session, toldBy } from "../shared/told-by.js";

/** Each holds a trace of the app-server's stream and what it wrote to disk in the same run, cut to what is read of them. */
const FIXTURES = fileURLToPath(new URL("fixtures", import.meta.url));

type Told = ReturnType<typeof toldBy>;

/**
 * What else the stream tells, or the rollout. Each kind has its reason in the reader's README; what every run may differ in
 * is taken off by `comparable`.
 */
const DIFFERENCES: Readonly<Record<string, Partial<Told> & { readonly extraCalls?: readonly string[] }>> = {
  // A call that fails before it runs has no item on the stream.
  "patch-does-not-fit": { extraCalls: ["1.call_0001"] },
  "unknown-tool": { extraCalls: ["1.call_0001"] },
  // A `/compact` is a request of its own, and no prompt of the thread.
  "compact-by-prompt": { prompts: ["One.", "Two."] },
  // The reason of a rejection goes to the model as a word of its user.
  "exec-reject-message": { prompts: ["Create made.txt.", "Use another name, please."] },
  // A process that dies writes nothing; a failure that was tried again leaves nothing.
  "sigkill-while-blocked": { errors: [] },
  "retry-stream-cut-after-item": { errors: [] },
};

async function readRollouts(name: string) {
  const normalizer = dialectOf("codex-rollout").normalizer({ check: true, final: true });
  const events: WireEvent[] = [];
  await normalizer.readPath(join(FIXTURES, name, "rollouts"), async (some) => void events.push(...some));
  return { normalizer, events, final: normalizer.final() };
}

/** Sessions by the app-server's id of their thread. */
function byThread(final: FinalDocument): Map<unknown, Session> {
  return new Map(
    final.sessions.map((session) => {
      const native = session.info.metadata?.native as { sessionID?: string } | undefined;
      return [native?.sessionID, session];
    }),
  );
}

/** What the gateway, its user or the end of a process said of a tool that did not run is not in a rollout. */
const NOT_RUN = [
  "This was not allowed",
  "The turn was aborted",
  "The turn ended before this tool had a result",
  "user rejected MCP tool call",
];

/** Decisions on approvals are not in a rollout, and an item is written when it ends. */
function comparable(written: Told, told: Told): [Told, Told] {
  const of = (callID: string) => written.tools.find((tool) => tool.callID === callID);
  const tools = told.tools.map((called) => {
    const { decision, ...tool } = called as typeof called & { decision?: unknown };
    const other = of(tool.callID) as { decision?: unknown; error?: string } | undefined;
    const error = "error" in tool && NOT_RUN.includes(other?.error ?? "") ? { error: other?.error } : {};
    return { ...tool, ...error, ...(other?.decision !== undefined && { decision }) } as Told["tools"][number];
  });
  const plain = (one: Told, list: Told["tools"]) => ({
    ...one,
    texts: [...one.texts].sort(),
    tools: JSON.parse(JSON.stringify(list)),
  });
  return [plain(written, written.tools), plain(told, tools)];
}

describe.each(readdirSync(FIXTURES).sort())("%s", (name) => {
  test("every law holds for the rollouts, and every line is known", async () => {
    const { normalizer, final } = await readRollouts(name);
    expect(normalizer.violations()).toEqual([]);
    expect([...normalizer.unknownKinds]).toEqual([]);
    expect(final.sessions.length).toBeGreaterThan(0);
  });

  test("stream and rollout tell the same", async () => {
    const stream = byThread(finalOf(eventsOf(replay(readTrace(join(FIXTURES, name))).run)));
    const rollouts = byThread((await readRollouts(name)).final);
    const { extraCalls = [], ...other } = DIFFERENCES[name] ?? {};
    for (const [thread, session] of stream) {
      const found = rollouts.get(thread);
      if (!found) throw new Error(`there is no rollout of ${thread}`);
      const [written, told] = comparable(toldBy(found), { ...toldBy(session), ...other });
      const shared = written.tools.filter(({ callID }) => !extraCalls.includes(callID));
      expect({ ...written, tools: shared }).toEqual(told);
    }
  });

  test("read twice it is the same", async () => {
    const [once, twice] = [await readRollouts(name), await readRollouts(name)];
    expect(twice.events).toEqual(once.events);
  });
});
