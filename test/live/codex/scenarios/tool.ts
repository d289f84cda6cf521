import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { call, output, raw, say, text } from "../../openai/script.js";
import type { CodexScenario } from "../codex-scenario.js";
import { addFile, exec, patch } from "../native-tools.js";
import { ask, DOT, fileAppears, lastToolResults, putFile, showsOutputSoFar, toolStatesOf, toolsOf } from "../steps.js";

const UNASKED = { session: { mode: "safe-yolo" } } as const;
const LONG = { yieldMs: 20_000 };

/** Says what it is told, twice, and a line of its own. */
const TALKATIVE = "mkfifo b a && cat a && cat b && echo last line";

export const toolScenarios: readonly CodexScenario[] = [
  {
    ...UNASKED,
    name: "exec",
    title: "A command runs unasked; its output goes to the model and stands on the part.",
    requirements: ["tool.completed", "tool.output"],
    script: () => ({ main: [output([text("I look."), exec("echo made; echo again")]), say("Done.")] }),
    drive: async (driver) => {
      await ask(driver, "Run it.");
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /made\nagain/);
    },
  },
  {
    ...UNASKED,
    name: "exec-streams-output",
    title: "The output of a command that takes its time streams into the running part.",
    requirements: ["tool.output-streaming", "tool.output"],
    script: () => ({ main: [output([exec(TALKATIVE, { yieldMs: 20_000 })]), say("Done.")] }),
    drive: async (driver) => {
      await driver.prompt("Run it.");
      await driver.until((event) => event.type === "message.part.updated" && event.properties.part.type === "tool");
      await fileAppears(join(driver.cwd, "a"));
      await writeFile(join(driver.cwd, "a"), "first line\n");
      await driver.until(showsOutputSoFar);
      await writeFile(join(driver.cwd, "b"), "middle\n");
      await driver.idle();
      const [tool] = await toolsOf(driver);
      assert(tool?.state.status === "completed" && /first line\nmiddle\nlast line/.test(tool.state.output));
    },
  },
  {
    ...UNASKED,
    name: "exec-fails",
    title: "A command that exits with a code is an error with its output.",
    requirements: ["tool.exit-code", "tool.error"],
    script: () => ({ main: [output([exec("echo broken; exit 3")]), say("It failed.")] }),
    drive: (driver) => ask(driver, "Run it."),
  },
  {
    ...UNASKED,
    name: "exec-fails-silently",
    title: "A command that exits with a code and says nothing is an error with that code.",
    requirements: ["tool.exit-code"],
    script: () => ({ main: [output([exec("sleep 0.2; exit 7")]), say("It failed.")] }),
    drive: (driver) => ask(driver, "Run it."),
  },
  {
    ...UNASKED,
    name: "exec-in-parallel",
    title: "One response runs two commands at once: each waits for the other.",
    requirements: ["tool.parallel"],
    script: () => ({
      main: [
        output([exec("echo a > one; cat two", LONG), exec("cat one; echo b > two", { ...LONG, gate: "second" })]),
        say("Both ran."),
      ],
    }),
    setup: async ({ cwd }) => {
      const { execFileSync } = await import("node:child_process");
      execFileSync("mkfifo", [join(cwd, "one"), join(cwd, "two")]);
    },
    drive: async (driver) => {
      await driver.prompt("Run both.");
      await driver.until((event) => event.type === "message.part.updated" && event.properties.part.type === "tool");
      driver.model.open("second");
      await driver.idle();
      assert.deepEqual(await toolStatesOf(driver), ["bash completed", "bash completed"]);
    },
  },
  {
    ...UNASKED,
    name: "exec-in-sequence",
    title: "Two responses run a command each, one after the other.",
    requirements: ["tool.sequence", "usage.accounted"],
    script: () => ({ main: [output([exec("echo one > n")]), output([exec("cat n")]), say("One.")] }),
    drive: async (driver) => {
      await ask(driver, "Write and read.");
      assert.equal(await readFile(join(driver.cwd, "n"), "utf8"), "one\n");
    },
  },
  {
    ...UNASKED,
    name: "exec-between-texts",
    title: "A command stands between two texts of one response.",
    requirements: ["tool.between-texts"],
    script: () => ({ main: [output([text("Before."), exec("echo x"), text("After.")]), say("Done.")] }),
    drive: (driver) => ask(driver, "Run it."),
  },
  {
    ...UNASKED,
    name: "exec-outlives-turn",
    title: "The turn ends while a command still runs: its part is closed as running in the background.",
    requirements: ["tool.outlives-turn"],
    script: () => ({ main: [output([exec("mkfifo go; cat go", { yieldMs: 300 })]), say("It runs on.")] }),
    drive: async (driver) => {
      await ask(driver, "Start it.");
      const [tool] = await toolsOf(driver);
      assert(tool?.state.status === "completed" && tool.state.metadata.background === true);
      await fileAppears(join(driver.cwd, "go"));
      await writeFile(join(driver.cwd, "go"), "");
    },
  },
  {
    ...UNASKED,
    name: "unknown-tool",
    title: "The model calls a tool that does not exist: the CLI shows nothing of it, and the turn goes on.",
    requirements: ["tool.invisible"],
    script: () => ({ main: [output([call("no_such_tool", { a: 1 })]), say("There is no such tool.")] }),
    drive: async (driver) => {
      await ask(driver, "Use it.");
      assert.match(lastToolResults(driver.model)[0]?.text ?? "", /unsupported call/);
    },
  },
  {
    name: "view-image",
    title: "The model looks at a picture of the project.",
    requirements: ["tool.read", "image.result"],
    setup: ({ cwd }) => writeFile(join(cwd, "dot.png"), Buffer.from(DOT, "base64")),
    script: () => ({ main: [output([call("view_image", { path: "dot.png" })]), say("A dot.")] }),
    drive: (driver) => ask(driver, "Look at dot.png."),
  },
  {
    name: "web-search",
    title: "The vendor's search tool looks for something and opens a page.",
    requirements: ["tool.search"],
    config: "",
    script: () => ({
      main: [
        output([
          raw({
            type: "web_search_call",
            id: "ws_1",
            status: "completed",
            action: { type: "search", query: "wire formats", queries: ["wire formats"] },
          }),
          raw({
            type: "web_search_call",
            id: "ws_2",
            status: "completed",
            action: { type: "open_page", url: "https://example.com/" },
          }),
          text("Found."),
        ]),
      ],
    }),
    drive: (driver) => ask(driver, "Search."),
  },
  {
    ...UNASKED,
    name: "patch-new-file",
    title: "A patch makes a file of the project unasked.",
    requirements: ["tool.write"],
    script: () => ({ main: [output([patch(addFile("made.txt", "one\ntwo"))]), say("Made.")] }),
    drive: async (driver) => {
      await ask(driver, "Make made.txt.");
      assert.equal(await readFile(join(driver.cwd, "made.txt"), "utf8"), "one\ntwo\n");
    },
  },
  {
    ...UNASKED,
    name: "patch-several-files",
    title: "A patch changes a file, deletes one and renames one; the session tells what has changed.",
    requirements: ["tool.edit", "turn.diff"],
    setup: async ({ cwd }) => {
      await putFile(cwd, "a.txt", "old line\nkeep\n");
      await putFile(cwd, "b.txt", "bye\n");
      await putFile(cwd, "c.txt", "see\n");
    },
    script: () => ({
      main: [
        output([
          patch([
            "*** Update File: a.txt",
            "@@",
            "-old line",
            "+new line",
            "*** Delete File: b.txt",
            "*** Update File: c.txt",
            "*** Move to: d.txt",
            "@@",
            "-see",
            "+sea",
          ]),
        ]),
        say("Changed."),
      ],
    }),
    drive: async (driver) => {
      await ask(driver, "Change them.");
      const { session } = await driver.request("session.get");
      assert.equal(session.summary?.files, 3);
    },
  },
  {
    ...UNASKED,
    name: "patch-streams",
    title: "A patch is shown while the model still writes it.",
    requirements: ["tool.write"],
    features: "apply_patch_streaming_events = true",
    script: () => ({
      main: [output([patch(addFile("made.txt", "first\nsecond\nthird"), { chunk: 24 })]), say("Made.")],
    }),
    drive: (driver) => ask(driver, "Make made.txt."),
  },
  {
    ...UNASKED,
    name: "patch-does-not-fit",
    title: "A patch that does not fit is told to the model alone: there is no item of it.",
    requirements: ["tool.invisible"],
    setup: ({ cwd }) => putFile(cwd, "a.txt", "something else\n"),
    script: () => ({
      main: [output([patch(["*** Update File: a.txt", "@@", "-old line", "+new line"])]), say("It did not fit.")],
    }),
    drive: (driver) => ask(driver, "Change it."),
  },
  {
    ...UNASKED,
    name: "patch-by-shell",
    title: "A patch that the model applies by a command is a change of files all the same.",
    requirements: ["tool.write"],
    script: () => ({
      main: [
        output([exec("apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: made.txt\n+one\n*** End Patch\nEOF\n")]),
        say("Made."),
      ],
    }),
    drive: (driver) => ask(driver, "Make made.txt."),
  },
];
