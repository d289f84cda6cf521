import { message, text, thinking } from "../../anthropic/script.js";
import type { ClaudeScenario } from "../claude-scenario.js";
import { write } from "../native-tools.js";
import { decideNext } from "../steps.js";

const STREAMED = { chunk: 7 };
const PAGE = "# Hello\n\nThis file was written by an agent, after you allowed it.\n";

/** What `npm start` plays: long enough to watch, and with an approval in the middle. */
export const demoScenarios: readonly ClaudeScenario[] = [
  {
    name: "demo",
    title: "The agent thinks, asks to write a file, is allowed, and says what it did.",
    requirements: ["text.streaming", "reasoning.streaming", "permission.once", "diff.new-file"],
    script: ({ cwd }) => ({
      main: [
        message([
          thinking("The user wants a greeting. One small file will do.", STREAMED),
          text("I will write hello.md for you.", STREAMED),
          write(cwd, "hello.md", PAGE),
        ]),
        message([text("Done: hello.md holds a heading and one sentence.", STREAMED)]),
      ],
    }),
    drive: async (driver) => {
      await driver.prompt("Write a file that says hello.");
      await decideNext(driver, { decision: "once" });
      await driver.idle();
    },
  },
];
