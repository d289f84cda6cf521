import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { hang, output, say, text } from "../../openai/script.js";
import { userTextIn } from "../../openai/seen.js";
import type { FullDriver } from "../../scenario.js";
import { COMPACT } from "../../stories.js";
import { CODEX_MODEL, type CodexScenario } from "../codex-scenario.js";
import { exec } from "../native-tools.js";
import {
  ask,
  fileAppears,
  lastRequest,
  mainRequests,
  putFile,
  sessionOf,
  textsOf,
  toolStatesOf,
  toolsOf,
} from "../steps.js";

/** The form in which the reviewer answers. */
const FINDINGS = JSON.stringify({
  findings: [
    {
      title: "[P1] Off by one",
      body: "The loop ends late.",
      confidence_score: 0.9,
      priority: 1,
      code_location: { absolute_file_path: "/a.txt", line_range: { start: 1, end: 2 } },
    },
  ],
  overall_correctness: "patch is incorrect",
  overall_explanation: "One bug.",
  overall_confidence_score: 0.8,
});
const CUSTOM = { type: "custom", instructions: "Look at a.txt." } as const;

/** A repository of its own, with one commit. */
async function makeRepository({ cwd }: { readonly cwd: string }): Promise<void> {
  await rm(join(cwd, ".git"), { recursive: true });
  await putFile(cwd, "a.txt", "one\n");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd });
  git("init", "-q", "-b", "main");
  git("add", "a.txt");
  git("commit", "-q", "-m", "One");
}

/** How many conversations the CLI keeps as archived. */
async function archivedFiles({ home }: FullDriver): Promise<number> {
  return (await readdir(join(home, ".codex/archived_sessions")).catch(() => [])).length;
}

export const commandScenarios: readonly CodexScenario[] = [
  {
    ...COMPACT,
    script: () => ({
      main: [
        output([text("First answer, at leisure.", { chunk: 12, after: 1, gate: "slow" })]),
        say("They greeted each other."),
        say("Second answer."),
      ],
    }),
  },
  {
    name: "review",
    title:
      "The user has the uncommitted changes reviewed: the reviewer runs a command, its findings are a tool's output.",
    requirements: ["session.review"],
    session: { mode: "acceptEdits" },
    setup: makeRepository,
    script: () => ({ main: [say("First answer."), output([exec("cat a.txt")]), say(FINDINGS), say("Second answer.")] }),
    drive: async (driver) => {
      await ask(driver, "One.");
      await driver.request("session.review", { target: { type: "uncommittedChanges" } });
      await driver.idle();
      const call = (await toolsOf(driver)).find(({ tool }) => tool === "review");
      assert(call?.state.status === "completed");
      assert.match(call.state.output, /One bug[\s\S]*Off by one/);
      await ask(driver, "Two.");
      assert.match(userTextIn(lastRequest(driver.model)), /Off by one/, "the model knows what was found");
    },
  },
  {
    name: "review-of-branch",
    title: "The changes since a branch are reviewed, as the first thing in a session.",
    requirements: ["session.review"],
    setup: makeRepository,
    script: () => ({ main: [say("Nothing to find.")] }),
    drive: async (driver) => {
      await driver.request("session.review", { target: { type: "baseBranch", branch: "main" } });
      await driver.idle();
      assert.match(userTextIn(lastRequest(driver.model)), /base branch 'main'/);
      assert.deepEqual(await textsOf(driver), ["Nothing to find."]);
    },
  },
  {
    name: "review-of-commit",
    title: "A commit is reviewed, and then what the user describes.",
    requirements: ["session.review"],
    setup: makeRepository,
    script: () => ({ main: [say("Nothing to find."), say("Nothing there, either.")] }),
    drive: async (driver) => {
      await driver.request("session.review", { target: { type: "commit", sha: "abcdef1", title: "One" } });
      await driver.request("session.review", { target: CUSTOM });
      await driver.idle();
      assert.match(userTextIn(lastRequest(driver.model)), /Look at a\.txt\./);
    },
  },
  {
    name: "review-fails",
    title: "A review since a branch of what is no repository fails; the next prompt works.",
    requirements: ["session.review", "turn.after-error"],
    script: () => ({ main: [say("Here I am.")] }),
    drive: async (driver) => {
      await driver.request("session.review", { target: { type: "baseBranch", branch: "main" } });
      await driver.idle();
      assert.match((await sessionOf(driver)).error?.message ?? "", /not a git repository/);
      await ask(driver, "Are you there?");
    },
  },
  {
    name: "review-aborted",
    title: "A review is aborted: what joins it waits, and is then answered.",
    requirements: ["session.review", "turn.finish-aborted", "turn.queue"],
    script: () => ({ main: [hang("asked"), say("Here I am.")] }),
    drive: async (driver) => {
      await driver.request("session.review", { target: CUSTOM });
      await driver.model.reached("asked");
      await driver.prompt("Are you there?", { delivery: "steer" });
      await driver.request("session.abort", { keepQueue: true });
      await driver.idle();
      assert.equal(mainRequests(driver.model), 2);
      assert.equal((await textsOf(driver)).at(-1), "Here I am.");
      assert.deepEqual(await toolStatesOf(driver), ["review error"]);
    },
  },
  {
    name: "archive",
    title: "An archived session is put away in the CLI's own list, too; the next prompt takes it out of there.",
    requirements: ["session.archive-native"],
    script: () => ({ main: [say("First answer."), say("Second answer.")] }),
    drive: async (driver) => {
      await ask(driver, "This is the first prompt.");
      const { session } = await driver.request("session.update", { archived: true });
      assert(session.time.archived !== undefined);
      await fileAppears(join(driver.home, ".codex/archived_sessions"));
      await ask(driver, "And now?");
      assert.match(userTextIn(lastRequest(driver.model)), /This is the first prompt\./);
      assert.equal((await sessionOf(driver)).time.archived, undefined);
      assert.equal(await archivedFiles(driver), 0);
    },
  },
  {
    name: "archive-at-start",
    title: "A session that was archived while no CLI ran is put away when one starts.",
    requirements: ["session.archive-native", "session.resume"],
    script: () => ({ main: [say("First answer."), say("Second answer.")] }),
    drive: async (driver) => {
      await ask(driver, "This is the first prompt.");
      driver.killAgent("SIGTERM");
      await driver.agentExited();
      await driver.request("session.update", { archived: true });
      await driver.request("session.resume");
      await driver.request("session.update", { archived: false });
      await ask(driver, "And now?");
      assert.match(userTextIn(lastRequest(driver.model)), /This is the first prompt\./);
    },
  },
  {
    name: "models",
    title: "What the CLI offers is on the session: its models, the efforts of each, how large the context is.",
    requirements: ["model.list", "usage.context"],
    script: () => ({ main: [say("Here I am.")] }),
    drive: async (driver) => {
      await ask(driver, "Are you there?");
      const native = (await sessionOf(driver)).metadata?.native as {
        efforts?: { [model: string]: string[] };
        contextTokens?: number;
        contextWindow?: number;
      };
      assert(native.efforts?.[CODEX_MODEL]?.includes("high"));
      assert.deepEqual([native.contextTokens, native.contextWindow], [120, 258_400]);
    },
  },
];
