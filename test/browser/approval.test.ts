import { beforeAll, describe, expect, test } from "vitest";
import type { FinalDocument } from "../../src/client/index.js";
import { servePage } from "./page-server.js";
import { Story, TRANSPORTS } from "./story.js";
import { Tab } from "./tab.js";

const LATE = /^conflict: the block per_\w+ was decided already by user$/;

let origin: string;
beforeAll(async () => {
  origin = await servePage();
});

/** Every tool ran, once it was allowed, and all have the same of it. */
function expectSame(documents: readonly FinalDocument[], tools: number): void {
  const [first] = documents;
  for (const document of documents) expect(document).toEqual(first);
  const parts = first?.sessions.flatMap(({ messages }) => messages).flatMap((message) => message.parts) ?? [];
  const states = parts.flatMap((part) => (part.type === "tool" ? [part.state] : []));
  expect(states).toMatchObject(
    Array.from({ length: tools }, (_, i) => ({
      status: "completed",
      output: `said ${i + 1}`,
      block: { decision: "once", decidedBy: "user" },
    })),
  );
}

/** Has another gateway take the place of one that is killed, and the page find out about both. */
async function restart(story: Story, tab: Tab): Promise<void> {
  const start = await story.cut();
  await tab.connectionSays("The connection to the gateway failed");
  await start();
  await tab.connectionSays("connected again");
}

test("two browsers allow a tool that a third client started: one wins, the other hears who did, all have the same", async () => {
  const rounds = 4;
  const story = await Story.begin(origin, { rounds, deltas: 20 });
  const tabs = await Promise.all(
    TRANSPORTS.map(async (transport) => (await Tab.open(origin)).follow(story.options(transport))),
  );
  for (let round = 1; round <= rounds; round++) {
    const [blockID = "", ...others] = await Promise.all(tabs.map((tab) => tab.block(round)));
    expect(others).toEqual([blockID]);
    const outcomes = await Promise.all(tabs.map((tab) => tab.allow(blockID)));
    expect(outcomes.sort()).toEqual(["allowed", expect.stringMatching(LATE)]);
  }
  expectSame(await story.end(...tabs), rounds);
});

describe.each(TRANSPORTS)("over %s", (transport) => {
  test("a page that is loaded again shows the tool that waits, and can allow it", async () => {
    const story = await Story.begin(origin, { rounds: 1, deltas: 5 });
    const tab = await (await Tab.open(origin)).follow(story.options(transport));
    const blockID = await tab.block(1);
    await tab.reload();
    expect(await tab.blocks()).toEqual([]);
    await tab.follow(story.options(transport));
    expect(await tab.block(1)).toBe(blockID);
    expect(await tab.allow(blockID)).toBe("allowed");
    expectSame(await story.end(tab), 1);
  });

  test("a page whose gateway is killed, while a tool waits and amid a text, says so and goes on with the next one", async () => {
    const story = await Story.begin(origin, { rounds: 2, deltas: 200 });
    const tab = await (await Tab.open(origin)).follow(story.options(transport));
    const first = await tab.block(1);
    await restart(story, tab);
    expect(await tab.blocks()).toHaveLength(1);
    expect(await tab.allow(first)).toBe("allowed");
    await restart(story, tab);
    expect(await tab.allow(await tab.block(2))).toBe("allowed");
    expectSame(await story.end(tab), 2);
  });
});
