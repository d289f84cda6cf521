import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { message, say } from "../../anthropic/script.js";
import { imagesIn } from "../../anthropic/seen.js";
import type { ClaudeFullScenario } from "../claude-scenario.js";
import { read } from "../native-tools.js";
import { ask, DOT, lastRequest, toolsOf } from "../steps.js";

export const imageScenarios: readonly ClaudeFullScenario[] = [
  {
    name: "image-in-prompt",
    title: "A prompt carries an image, which the model sees.",
    requirements: ["image.prompt"],
    script: () => ({ main: [say("A dot.")] }),
    drive: async (driver) => {
      const url = `data:image/png;base64,${DOT}`;
      await driver.prompt("What is this?", { parts: [{ type: "file", mime: "image/png", filename: "dot.png", url }] });
      await driver.idle();
      assert.deepEqual(imagesIn(lastRequest(driver.model)), [DOT]);
    },
  },
  {
    name: "file-in-prompt",
    title: "A prompt carries a text inline and names a file on the machine; the model sees both.",
    requirements: ["file.prompt"],
    setup: ({ cwd }) => writeFile(join(cwd, "a list.txt"), "apples\n"),
    script: () => ({ main: [say("Fruit.")] }),
    drive: async (driver) => {
      const inline = `data:text/plain;base64,${Buffer.from("pears \u00fc", "utf8").toString("base64")}`;
      const linked = pathToFileURL(join(driver.cwd, "a list.txt")).href;
      const parts = [
        { type: "file", mime: "text/plain", filename: "more.txt", url: inline },
        { type: "file", mime: "text/plain", url: linked },
      ] as const;
      await driver.prompt("What are these?", { parts });
      await driver.idle();
      const asked = JSON.stringify(lastRequest(driver.model));
      assert.match(asked, /pears \u00fc/, "the inline text");
      assert.match(asked, /apples/, "the file's content");
    },
  },
  {
    name: "image-read",
    title: "The agent reads an image file: the model sees it, and so does the user.",
    requirements: ["image.result", "tool.read"],
    setup: ({ cwd }) => writeFile(join(cwd, "dot.png"), Buffer.from(DOT, "base64")),
    script: ({ cwd }) => ({ main: [message([read(cwd, "dot.png")]), say("A dot.")] }),
    drive: async (driver) => {
      await ask(driver, "What is in dot.png?");
      assert.equal(imagesIn(lastRequest(driver.model)).length, 1);
      const [tool] = await toolsOf(driver);
      assert(tool?.state.status === "completed", "the file was read");
      assert.deepEqual(
        tool.state.attachments?.map(({ mime }) => mime),
        ["image/png"],
      );
    },
  },
];
