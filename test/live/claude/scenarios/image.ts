import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { message, say } from "../../anthropic/script.js";
import { imagesIn } from "../../anthropic/seen.js";
import type { ClaudeFullScenario } from "../claude-scenario.js";
import { read } from "../native-tools.js";
import { ask, lastRequest, toolsOf } from "../steps.js";

/** One pixel. */
const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

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
