import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { message, say, text } from "../../anthropic/script.js";
import { imagesIn, userTextIn } from "../../anthropic/seen.js";
import { COMPACT } from "../../stories.js";
import { bash, read, todos } from "../native-tools.js";
import { type OpencodeScenario, OTHER_MODEL } from "../opencode-scenario.js";
import {
  ask,
  DOT,
  ENDLESS,
  endEndless,
  fileAppears,
  lastRequest,
  putFile,
  sessionOf,
  showsText,
  textsOf,
  todosOf,
  toolStatesOf,
} from "../steps.js";

export const sessionScenarios: readonly OpencodeScenario[] = [
  {
    name: "exit-mid-stream",
    title: "The server is killed in the middle of a text; the next prompt brings it back with its history.",
    requirements: ["process.exit-mid-stream", "process.resume"],
    script: () => ({
      main: [
        say("I will remember 7."),
        message([text("Once upon a time", { chunk: 10, after: 1, gate: "tale" })]),
        say("It was 7."),
      ],
    }),
    drive: async (driver) => {
      await ask(driver, "Remember 7.");
      await driver.prompt("Tell a tale.");
      await driver.until(showsText("Once upon"));
      driver.killAgent("SIGKILL");
      await driver.idle();
      await ask(driver, "Which number was it?");
      assert.match(userTextIn(lastRequest(driver.model)), /Remember 7/);
    },
  },
  {
    name: "exit-mid-tool",
    title: "The server is killed while a command runs.",
    requirements: ["process.exit-mid-tool"],
    session: { mode: "yolo" },
    script: () => ({ main: [message([bash(ENDLESS)])] }),
    drive: async (driver) => {
      await driver.prompt("Wait.");
      await fileAppears(join(driver.cwd, "started"));
      driver.killAgent("SIGKILL");
      await driver.idle();
      await endEndless(driver.cwd);
      assert.deepEqual(await toolStatesOf(driver), ["bash error"]);
    },
  },
  {
    name: "exit-blocked",
    title: "The server is killed while a command waits for permission.",
    requirements: ["process.exit-blocked"],
    script: () => ({ main: [message([bash("touch a.txt")])] }),
    drive: async (driver) => {
      await driver.prompt("Create it.");
      const [pending] = await driver.blocked();
      assert(pending);
      driver.killAgent("SIGKILL");
      await driver.idle();
      await driver.expectError("conflict", driver.reply(pending.block.id, { decision: "once" }));
    },
  },
  {
    name: "exit-before-anything",
    title: "A server that is killed before it has a session is started anew, with nothing to resume.",
    requirements: ["process.restart-without-history"],
    script: () => ({ main: [say("Hello.")] }),
    drive: async (driver) => {
      await driver.prompt("Hello?");
      driver.killAgent("SIGKILL");
      await driver.idle();
      await ask(driver, "Once more.");
    },
  },
  {
    name: "resume",
    title: "The server is started without a prompt, and its session goes on.",
    requirements: ["session.resume", "process.resume"],
    script: () => ({ main: [say("I will remember 7."), say("It was 7.")] }),
    drive: async (driver) => {
      await ask(driver, "Remember 7.");
      driver.killAgent("SIGTERM");
      await driver.agentExited();
      await driver.request("session.resume");
      assert(driver.agentRuns());
      await ask(driver, "Which number was it?");
      assert.match(userTextIn(lastRequest(driver.model)), /Remember 7/);
    },
  },
  {
    name: "history-lost",
    title: "The server has lost the session: a clear error, and the next prompt begins anew.",
    requirements: ["session.history-lost"],
    script: () => ({ main: [say("I will remember 7."), say("I do not know.")] }),
    drive: async (driver) => {
      await ask(driver, "Remember 7.");
      driver.killAgent("SIGKILL");
      await driver.agentExited();
      await rm(join(driver.home, ".local", "share", "opencode"), { recursive: true, force: true });
      await ask(driver, "Which number was it?");
      assert.equal((await sessionOf(driver)).error?.name, "invalid_request");
      await ask(driver, "Which number was it?");
      assert.doesNotMatch(userTextIn(lastRequest(driver.model)), /Remember 7/);
    },
  },
  {
    name: "fork",
    title: "A fork knows the history and goes its own way.",
    requirements: ["session.fork"],
    script: () => ({ main: [say("I will remember 7."), say("It was 7, in the fork.")] }),
    drive: async (driver) => {
      await ask(driver, "Remember 7.");
      const { session } = await driver.request("session.fork", {});
      await driver.request("session.prompt", {
        sessionID: session.id,
        parts: [{ type: "text", text: "Which number was it?" }],
      });
      await driver.idle(session.id);
      assert.match(userTextIn(lastRequest(driver.model)), /Remember 7/);
    },
  },
  {
    name: "fork-from-message",
    title: "A fork from the second prompt knows only what came before.",
    requirements: ["session.fork-from-message"],
    script: () => ({ main: [say("I will remember 7."), say("And 8."), say("It was 7 only.")] }),
    drive: async (driver) => {
      await ask(driver, "Remember 7.");
      const second = await driver.prompt("Remember 8.");
      await driver.idle();
      const { session } = await driver.request("session.fork", { messageID: second });
      await driver.request("session.prompt", {
        sessionID: session.id,
        parts: [{ type: "text", text: "Which numbers?" }],
      });
      await driver.idle(session.id);
      const seen = userTextIn(lastRequest(driver.model));
      assert.match(seen, /Remember 7/);
      assert.doesNotMatch(seen, /Remember 8/);
    },
  },
  {
    name: "compact",
    title: "The user compacts the conversation; the next prompt goes on from the summary.",
    requirements: ["compaction.manual"],
    script: () => ({ main: [say("I will remember 7."), say("It was 7.")], aux: [say("SUMMARY: the number is 7.")] }),
    drive: async (driver) => {
      await ask(driver, "Remember 7.");
      await ask(driver, "/compact");
      await ask(driver, "Which number was it?");
      assert(JSON.stringify(lastRequest(driver.model).body).includes("SUMMARY: the number is 7."));
    },
  },
  {
    ...COMPACT,
    script: () => ({
      main: [
        message([text("First answer, at leisure.", { chunk: 12, after: 1, gate: "slow" })]),
        say("Second answer."),
      ],
      aux: [say("SUMMARY: they greeted each other.")],
    }),
  },
  {
    name: "compact-nothing",
    title: "There is nothing to compact, and no harm is done.",
    requirements: ["compaction.empty"],
    script: () => ({ main: [say("Hello.")] }),
    drive: async (driver) => {
      await ask(driver, "/compact");
      await ask(driver, "Hello?");
    },
  },
  {
    name: "compact-auto",
    title: "The conversation grows too long in the middle of a turn: OpenCode compacts it and goes on.",
    requirements: ["compaction.auto"],
    setup: ({ cwd }) => putFile(cwd, "notes.txt", "alpha\n"),
    script: ({ cwd }) => ({
      main: [message([read(cwd, "notes.txt")], { usage: { input: 99_000 } }), say("Alpha, as I recall.")],
      aux: [say("SUMMARY: the notes say alpha.")],
    }),
    drive: async (driver) => {
      await ask(driver, "Read the notes.");
      assert.deepEqual(await textsOf(driver), ["SUMMARY: the notes say alpha.", "Alpha, as I recall."]);
    },
  },
  {
    name: "todo-list",
    title: "The model writes a list, and then a shorter one.",
    requirements: ["todo.list", "todo.removed"],
    script: () => ({
      main: [
        message([todos(["Read", "in_progress"], ["Write", "pending"])]),
        message([todos(["Read", "completed"])]),
        say("Done."),
      ],
    }),
    drive: async (driver) => {
      await ask(driver, "Plan.");
      assert.deepEqual(await todosOf(driver), ["Read: completed"]);
    },
  },
  {
    name: "image-prompt",
    title: "An image of a prompt reaches the model.",
    requirements: ["image.prompt"],
    script: () => ({ main: [say("A pixel.")] }),
    drive: async (driver) => {
      await driver.prompt("What is it?", {
        parts: [{ type: "file", mime: "image/png", filename: "a.png", url: `data:image/png;base64,${DOT}` }],
      });
      await driver.idle();
      assert.equal(imagesIn(lastRequest(driver.model)).length, 1);
    },
  },
  {
    name: "file-in-prompt",
    title: "A prompt carries a text inline and names a file on the machine; the model sees both.",
    requirements: ["file.prompt"],
    setup: ({ cwd }) => writeFile(join(cwd, "a list.txt"), "apples\n"),
    script: () => ({ main: [say("Fruit.")] }),
    drive: async (driver) => {
      const inline = `data:text/plain;base64,${Buffer.from("pears", "utf8").toString("base64")}`;
      const linked = pathToFileURL(join(driver.cwd, "a list.txt")).href;
      await driver.prompt("What are these?", {
        parts: [
          { type: "file", mime: "text/plain", filename: "more.txt", url: inline },
          { type: "file", mime: "text/plain", filename: "a list.txt", url: linked },
        ],
      });
      await driver.idle();
      const asked = JSON.stringify(lastRequest(driver.model).body);
      assert.match(asked, /pears/, "the inline text");
      assert.match(asked, /apples/, "the file's content");
    },
  },
  {
    name: "model-set",
    title: "The model changes between two turns.",
    requirements: ["model.set"],
    script: () => ({ main: [say("One."), say("Two.")] }),
    drive: async (driver) => {
      await ask(driver, "Who?");
      await driver.request("session.setModel", { model: OTHER_MODEL });
      await ask(driver, "And now?");
      assert.equal(lastRequest(driver.model).body.model, "model-2");
    },
  },
  {
    name: "title",
    title: "The title that OpenCode finds is on the session.",
    requirements: ["session.title-found"],
    config: { agent: {} },
    script: () => ({ main: [message([text("Hello.", { gate: "titled" })])], aux: [say("A short greeting")] }),
    drive: async (driver) => {
      await driver.prompt("Hello?");
      await driver.until(
        (event) => event.type === "session.updated" && event.properties.info.title === "A short greeting",
      );
      driver.model.open("titled");
      await driver.idle();
    },
  },
  {
    name: "option-agent",
    title: "An agent of the user's own takes the place of the usual one.",
    requirements: ["option.agent"],
    config: { agent: { title: { disable: true }, poet: { mode: "primary", prompt: "You are a poet." } } },
    script: () => ({ main: [say("Roses.")] }),
    drive: async (driver) => {
      await driver.request("session.setOption", { option: "agent", value: "poet" });
      await ask(driver, "Hello?");
      assert.match(JSON.stringify(lastRequest(driver.model).body.system), /You are a poet/);
    },
  },
];
