import { describe, expect, test } from "vitest";
import { LocalAgentHost } from "../../../src/process/local-agent-host.js";
import { expectGone, fixture, isRunning, onPosix, play, startAgent, watchPid } from "./harness.js";

/** Where a rung must not be waited for, its bound is longer than the test may take. */
const NEVER = 60_000;
const quick = { inputEndMs: 50, terminateMs: 50, killMs: NEVER };

interface Family {
  readonly inGroup: number;
  readonly inSession: number;
}

async function startFamily(args: readonly string[], ...rest: readonly [bounds?: object, host?: LocalAgentHost]) {
  const [bounds = {}, host] = rest;
  const run = startAgent({ commandArgs: [fixture("family")], args }, { bounds, exitWaitMs: 50 }, host);
  const family = (await run.firstFrame) as Family;
  watchPid(family.inGroup);
  watchPid(family.inSession);
  return { run, ...family };
}

describe.runIf(onPosix)("the ladder leaves nothing (report 45)", () => {
  test("an agent that ends with its input waits for no bound, and what it left goes too", async () => {
    const bounds = { inputEndMs: NEVER, terminateMs: NEVER };
    const { run, inGroup, inSession } = await startFamily([], bounds);
    run.agent.stop("end");
    expect(await run.exit()).toMatchObject({ code: 0, signal: null });
    await expectGone(inGroup, inSession);
  });

  test("an agent that ignores the end of its input gets SIGTERM", async () => {
    const { run, inGroup, inSession } = await startFamily(["eof"], { inputEndMs: 50, terminateMs: NEVER });
    run.agent.stop("end");
    expect(await run.exit()).toMatchObject({ code: null, signal: "SIGTERM" });
    await expectGone(inGroup, inSession);
  });

  test("an agent that is known to ignore it is not waited for", async () => {
    const spec = { commandArgs: [fixture("family")], args: ["eof"], inputEndMs: 50 };
    const run = startAgent(spec, { bounds: { inputEndMs: NEVER, terminateMs: NEVER }, exitWaitMs: 50 });
    const family = (await run.firstFrame) as Family;
    watchPid(family.inGroup);
    watchPid(family.inSession);
    run.agent.stop("end");
    expect(await run.exit()).toMatchObject({ code: null, signal: "SIGTERM" });
    await expectGone(family.inGroup, family.inSession);
  });

  test("an agent that ignores both is killed with its sessions", async () => {
    const { run, inGroup, inSession } = await startFamily(["eof", "term"], quick);
    run.agent.stop("end");
    expect(await run.exit()).toMatchObject({ code: null, signal: "SIGKILL" });
    await expectGone(run.agent.pid as number, inGroup, inSession);
  });

  test("kill waits for nothing", async () => {
    const { run, inGroup, inSession } = await startFamily(["eof", "term"], { inputEndMs: NEVER, terminateMs: NEVER });
    run.agent.stop("end");
    run.agent.stop("kill");
    run.agent.stop("kill");
    expect(await run.exit()).toMatchObject({ signal: "SIGKILL" });
    await expectGone(run.agent.pid as number, inGroup, inSession);
  });

  test("closing the host ends every agent and waits for it", async () => {
    const host = new LocalAgentHost({ bounds: quick });
    const families = [await startFamily(["eof", "term"], {}, host), await startFamily([], {}, host)];
    await host.close();
    expect(families.flatMap(({ run }) => run.events.filter((event) => event.kind === "exit"))).toHaveLength(2);
    await expectGone(...families.flatMap(({ run, ...pids }) => [run.agent.pid as number, ...Object.values(pids)]));
  });
});

describe.runIf(onPosix)("an agent that exits by itself", () => {
  test("is told within the bound although its child holds the pipe, and its group goes with it", async () => {
    const { run, inGroup } = await startFamily(["hold", "leave"]);
    expect(await run.exit()).toMatchObject({ code: 0 });
    await expectGone(inGroup);
  });

  test("leaves what it moved to another session: nobody asked to end that", async () => {
    const { run, inSession } = await startFamily(["leave"]);
    await run.exit();
    expect(isRunning(inSession)).toBe(true);
  });
});

test("frames that are said on the way out still arrive, before the exit", async () => {
  const run = startAgent(play(["out", '{"n":1}\n'], ["input-end"], ["out", '{"n":2}\n{"n":3}']), {
    bounds: { inputEndMs: NEVER },
  });
  await run.firstFrame;
  run.agent.stop("end");
  expect((await run.all("frame")).map((event) => event.frame)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  await run.exit();
});
