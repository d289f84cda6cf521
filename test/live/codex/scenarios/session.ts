import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { call, custom, output, say, text } from "../../openai/script.js";
import { imagesIn, userTextIn } from "../../openai/seen.js";
import type { FullDriver } from "../../scenario.js";
import type { CodexScenario } from "../codex-scenario.js";
import { exec } from "../native-tools.js";
import { ask, DOT, decideNext, lastRequest, textsOf, toolStatesOf } from "../steps.js";

/** A model that calls no tool but one that runs its JavaScript. */
const PROGRAMMING_MODEL = "gpt-6.1-sol";
const program = (source: string) => custom("exec", source, { chunk: 10_000 });

/** Forks, and sends the fork a prompt. */
async function fork(driver: FullDriver, messageID?: string): Promise<string> {
  const { session } = await driver.request("session.fork", messageID === undefined ? {} : { messageID });
  await driver.request("session.prompt", { sessionID: session.id, parts: [{ type: "text", text: "Go another way." }] });
  await driver.idle(session.id);
  return session.id;
}

export const sessionScenarios: readonly CodexScenario[] = [
  {
    name: "image-in-prompt",
    title: "A prompt holds a picture beside its text: the model gets both.",
    requirements: ["image.prompt"],
    script: () => ({ main: [say("A dot.")] }),
    drive: async (driver) => {
      await driver.prompt("What is it?", {
        parts: [{ type: "file", mime: "image/png", filename: "dot.png", url: `data:image/png;base64,${DOT}` }],
      });
      await driver.idle();
      assert.equal(imagesIn(lastRequest(driver.model)).length, 1);
    },
  },
  {
    name: "file-in-prompt",
    title: "A prompt carries a text inline and names a file on the machine; the model is told of both.",
    requirements: ["file.prompt"],
    script: () => ({ main: [say("Fruit.")] }),
    setup: ({ cwd }) => writeFile(join(cwd, "a list.txt"), "apples\n"),
    drive: async (driver) => {
      const inline = `data:text/plain;base64,${Buffer.from("pears ü", "utf8").toString("base64")}`;
      const linked = pathToFileURL(join(driver.cwd, "a list.txt")).href;
      const parts = [
        { type: "file", mime: "text/plain", filename: "more.txt", url: inline },
        { type: "file", mime: "text/plain", url: linked },
      ] as const;
      await driver.prompt("What are these?", { parts });
      await driver.idle();
      const asked = userTextIn(lastRequest(driver.model));
      assert.match(asked, /more\.txt:\npears ü/);
      assert.match(asked, /@.*a list\.txt/);
    },
  },
  {
    name: "fork-whole",
    title: "A session is forked with all its history; both go on by themselves.",
    requirements: ["session.fork"],
    script: () => ({ main: [say("First answer."), say("Answer of the fork."), say("Answer of the first.")] }),
    drive: async (driver) => {
      await ask(driver, "This is the first prompt.");
      const forked = await fork(driver);
      assert.match(userTextIn(lastRequest(driver.model)), /This is the first prompt\./);
      assert.deepEqual(await textsOf(driver, forked), ["First answer.", "Answer of the fork."]);
      await ask(driver, "Stay here.");
      assert.doesNotMatch(userTextIn(lastRequest(driver.model)), /Go another way\./);
    },
  },
  {
    name: "fork-from-message",
    title: "A session is forked behind its first answer: the fork knows only what came before.",
    requirements: ["session.fork", "session.fork-from-message"],
    script: () => ({ main: [say("First answer."), say("Second answer."), say("Answer of the fork.")] }),
    drive: async (driver) => {
      await ask(driver, "One.");
      await ask(driver, "This is the second prompt.");
      const { messages } = await driver.request("session.messages");
      const first = messages.find(({ info }) => info.role === "assistant");
      assert(first);
      await fork(driver, first.info.id);
      assert.doesNotMatch(userTextIn(lastRequest(driver.model)), /second prompt/);
    },
  },
  {
    name: "imported",
    title: "A turn with a command; another gateway imports what the CLI kept of it, and goes on with it.",
    requirements: ["session.imported"],
    session: { mode: "safe-yolo" },
    script: () => ({ main: [output([exec("echo one")]), say("It says one."), say("It said one.")] }),
    drive: (driver) => ask(driver, "Run it."),
    takenOver: async (driver) => {
      assert.deepEqual(await toolStatesOf(driver), ["bash completed"]);
      await ask(driver, "What did it say?");
      assert.match(userTextIn(lastRequest(driver.model)), /Run it\./);
      assert.deepEqual(await textsOf(driver), ["It says one.", "It said one."]);
    },
  },
  {
    name: "compaction",
    title: "The conversation grows too long, and the CLI makes room before the next prompt.",
    requirements: ["compaction.auto"],
    top: "model_auto_compact_token_limit = 1000",
    script: () => ({
      main: [
        say("First answer.", { usage: { input: 5000, cached: 0, output: 100, reasoning: 0 } }),
        say("All that was said so far.", { usage: { input: 300, cached: 0, output: 30, reasoning: 0 } }),
        say("Second answer.", { usage: { input: 80, cached: 0, output: 10, reasoning: 0 } }),
      ],
    }),
    drive: async (driver) => {
      await ask(driver, "One.");
      await ask(driver, "Two.");
      assert.deepEqual(await textsOf(driver), ["First answer.", "Second answer."]);
    },
  },
  {
    name: "compaction-mid-turn",
    title: "The conversation grows too long in the middle of a turn: the CLI makes room and goes on by itself.",
    requirements: ["compaction.auto", "turn.continued"],
    session: { mode: "safe-yolo" },
    top: "model_auto_compact_token_limit = 1000",
    script: () => ({
      main: [
        output([exec("echo one")], { usage: { input: 5000, cached: 0, output: 100, reasoning: 0 } }),
        say("All that was said so far.", { usage: { input: 300, cached: 0, output: 30, reasoning: 0 } }),
        say("One it is.", { usage: { input: 80, cached: 0, output: 10, reasoning: 0 } }),
      ],
    }),
    drive: (driver) => ask(driver, "Run it."),
  },
  {
    name: "compact-by-prompt",
    title: "The user has the conversation compacted; the next prompt goes on from the summary.",
    requirements: ["compaction.manual"],
    script: () => ({ main: [say("First answer."), say("All that was said so far."), say("Second answer.")] }),
    drive: async (driver) => {
      await ask(driver, "One.");
      await ask(driver, "/compact");
      await ask(driver, "Two.");
      assert.deepEqual(await textsOf(driver), ["First answer.", "Second answer."]);
      assert.match(userTextIn(lastRequest(driver.model)), /All that was said so far/);
    },
  },
  {
    name: "compact-nothing",
    title: "There is nothing to compact yet; the next prompt works.",
    requirements: ["compaction.empty"],
    script: () => ({ main: [say("Nothing was said."), say("Here I am.")] }),
    drive: async (driver) => {
      await ask(driver, "/compact");
      await ask(driver, "Hello?");
    },
  },
  {
    name: "program-runs-command",
    title: "The model writes a program that runs a command: the program is not shown, the command is.",
    requirements: ["tool.in-program"],
    session: { model: PROGRAMMING_MODEL, mode: "safe-yolo" },
    script: () => ({
      main: [
        output([program('const r = await tools.exec_command({cmd:"echo from a program; exit 2"}); text(r);')]),
        say("It ran."),
      ],
    }),
    drive: async (driver) => {
      await ask(driver, "Run it.");
      assert.deepEqual(await toolStatesOf(driver), ["bash error"]);
    },
  },
  {
    name: "program-asks",
    title: "A program runs a command that must be asked for.",
    requirements: ["tool.in-program", "permission.once"],
    session: { model: PROGRAMMING_MODEL, mode: "acceptEdits" },
    script: () => ({
      main: [
        output([
          program(
            'text(await tools.exec_command({cmd:"echo A", sandbox_permissions:"require_escalated", justification:"May I?"}));',
          ),
        ]),
        say("It ran."),
      ],
    }),
    drive: async (driver) => {
      await driver.prompt("Run it.");
      await decideNext(driver, { decision: "once" });
      await driver.idle();
    },
  },
  {
    name: "program-fails",
    title: "A program that calls no tool fails: the CLI shows nothing of it.",
    requirements: ["tool.invisible"],
    session: { model: PROGRAMMING_MODEL },
    script: () => ({ main: [output([program('text("partial"); throw new Error("boom")')]), say("It failed.")] }),
    drive: (driver) => ask(driver, "Run it."),
  },
  {
    name: "program-sleeps",
    title: "A model that writes programs sleeps: that is a tool of its own.",
    requirements: ["tool.sleep"],
    session: { model: PROGRAMMING_MODEL },
    script: () => ({
      main: [output([call("sleep", { duration_ms: 50 }, { namespace: "clock" })]), say("Awake.")],
    }),
    drive: async (driver) => {
      await ask(driver, "Sleep.");
      assert.deepEqual(await toolStatesOf(driver), ["sleep completed"]);
    },
  },
  {
    name: "question-to-user",
    title: "The model asks something and does not wait for an answer: a text with the choices beside it.",
    requirements: ["text.by-tool"],
    session: { model: PROGRAMMING_MODEL },
    features: "send_message_to_user_async = true",
    script: () => ({
      main: [
        output([call("request_user_input_async", { questions: [{ title: "Proceed?", options: ["yes", "no"] }] })]),
        say("I go on."),
      ],
    }),
    drive: (driver) => ask(driver, "Ask me."),
  },
  {
    name: "message-to-user",
    title: "The model sends its user a message by a tool: it is a text.",
    requirements: ["text.by-tool"],
    session: { model: PROGRAMMING_MODEL },
    features: "send_message_to_user_async = true",
    script: () => ({
      main: [output([call("send_message_to_user_async", { message: "By the way." })]), output([text("Done.")])],
    }),
    drive: async (driver) => {
      await ask(driver, "Tell me.");
      assert.deepEqual(await textsOf(driver), ["By the way.", "Done."]);
    },
  },
];
