import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FullDriver, Scenario } from "./scenario.js";
import { ask, decideNext, mainRequests, sessionOf, showsCompaction, showsText, textsOf } from "./steps.js";

/**
 * Stories that every agent is told alike. An agent's own scenario adds what its model says, and what the story needs of
 * the agent, such as a mode in which it asks.
 */
type Story = Omit<Scenario, "script">;
type FullStory = Omit<Scenario<unknown, FullDriver>, "script">;

export const TEXT: Story = {
  name: "text",
  title: "A prompt is answered by one text, streamed in several deltas.",
  requirements: ["text.streaming", "turn.finish-stop", "usage.step"],
  drive: (driver) => ask(driver, "Greet me."),
};

/** The model stops at the gate `half` behind "First half". */
export const FIRST_HALF_VISIBLE: Story = {
  name: "text-first-half-visible",
  title: "The first half of a text reaches the client while the model has not yet said the second.",
  requirements: ["text.streaming"],
  drive: async (driver) => {
    await driver.prompt("Say it slowly.");
    await driver.model.reached("half");
    await driver.until(showsText("First half"));
    driver.model.open("half");
    await driver.idle();
  },
};

/** The model wants to run a command that is asked for. */
export const REJECT_INTERRUPT: Omit<Story, "name"> = {
  title: "A command is rejected together with the whole turn.",
  requirements: ["permission.reject-interrupt", "turn.finish-aborted"],
  drive: async (driver) => {
    await driver.prompt("Create made.txt.");
    await decideNext(driver, { decision: "reject", message: "Stop here.", interrupt: true });
    await driver.idle();
    assert.equal(mainRequests(driver.model), 1, "the model is not asked again");
  },
};

/** In each of two turns the model runs the command that adds an `x` to the file `count`. */
export const ALWAYS: Omit<Story, "name"> = {
  title: "A command is always allowed: the same command later in the session is not asked for again.",
  requirements: ["permission.always", "permission.not-asked-again"],
  drive: async (driver) => {
    await driver.prompt("Count.");
    await decideNext(driver, { decision: "always" });
    await driver.idle();
    await ask(driver, "Count again.");
    assert.equal(await readFile(join(driver.cwd, "count"), "utf8"), "xx");
  },
};

/** The model hangs at the gate `asked`. */
export const ABORT_BEFORE_FIRST_TOKEN: Story = {
  name: "abort-before-first-token",
  title: "The turn is aborted while the model has not said anything yet.",
  requirements: ["abort.before-first-token", "turn.finish-aborted"],
  drive: async (driver) => {
    await driver.prompt("Think about it.");
    await driver.model.reached("asked");
    await driver.abort();
    await driver.idle();
  },
};

/** The model stops in a text that begins with "Once upon". */
export const ABORT_MID_STREAM: Story = {
  name: "abort-mid-stream",
  title: "The turn is aborted in the middle of a text; the next prompt is answered.",
  requirements: ["abort.mid-stream", "turn.finish-aborted", "turn.after-abort"],
  drive: async (driver) => {
    await driver.prompt("Tell a tale.");
    await driver.until(showsText("Once upon"));
    await driver.abort();
    await driver.idle();
    await ask(driver, "Are you there?");
  },
};

/** The model wants to run a command that is asked for. */
export const ABORT_WHILE_BLOCKED: Story = {
  name: "abort-while-blocked",
  title: "The turn is aborted while a command waits for permission; a later answer is refused.",
  requirements: ["abort.blocked", "permission.withdrawn"],
  drive: async (driver) => {
    await driver.prompt("Create made.txt.");
    const [pending] = await driver.blocked();
    assert(pending !== undefined, "a tool is blocked");
    await driver.abort();
    await driver.idle();
    await driver.expectError("conflict", driver.reply(pending.block.id, { decision: "once" }));
  },
};

export const ABORT_IDLE: Story = {
  name: "abort-idle",
  title: "An abort between two turns changes nothing.",
  requirements: ["abort.idle"],
  drive: async (driver) => {
    await ask(driver, "One.");
    await driver.abort();
    await ask(driver, "Two.");
  },
};

/** The model stops at the gate `slow` in a text that begins with "First answer". */
export const REFUSED_WHILE_BUSY: Story = {
  name: "prompt-refused-while-busy",
  title: "A prompt that does not want to wait is refused while a turn runs.",
  requirements: ["turn.busy"],
  drive: async (driver) => {
    await driver.prompt("First.");
    await driver.until(showsText("First answer"));
    await driver.expectError("busy", driver.prompt("Second.", { delivery: "reject" }));
    driver.model.open("slow");
    await driver.idle();
  },
};

/** The model answers twice, and in between it sums up. */
export const COMPACT: FullStory = {
  name: "compact-by-request",
  title: "The user has the conversation compacted by a request while a turn runs: it waits for its end.",
  requirements: ["session.compact", "compaction.manual", "turn.queue"],
  drive: async (driver) => {
    await driver.prompt("Hello there.");
    await driver.until(showsText("First answer"));
    const { messageID, queued } = await driver.request("session.compact");
    assert(queued, "it waits");
    assert.deepEqual((await sessionOf(driver)).queue, [messageID]);
    driver.model.open("slow");
    await driver.until(showsCompaction);
    await driver.idle();
    await ask(driver, "And now?");
    assert.deepEqual((await textsOf(driver)).at(-1), "Second answer.");
  },
};
