import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { addTokens, NO_TOKENS, type ToolPart } from "../../../../schemas/index.js";
import { dialectOf } from "../../../../src/conformance/dialects.js";

/** What the CLI itself printed. */
const FIXTURES = fileURLToPath(new URL("fixtures", import.meta.url));

async function normalize(input: string | readonly object[]) {
  const normalizer = dialectOf("codex-exec").normalizer({ check: true, final: true, directory: "/home/user/project" });
  const lines = typeof input === "string" ? undefined : input.map((line) => `${JSON.stringify(line)}\n`);
  if (lines) await normalizer.readInput(Readable.from(lines.map((line) => Buffer.from(line))), async () => {});
  else await normalizer.readPath(join(FIXTURES, `${input}.jsonl`), async () => {});
  const { sessions } = normalizer.final();
  const messages = sessions[0]?.messages ?? [];
  const parts = messages.flatMap((message) => message.parts);
  return {
    sessions,
    answers: messages.flatMap(({ info }) => (info.role === "assistant" ? [info] : [])),
    texts: parts.flatMap((part) => (part.type === "text" ? [part.text] : [])),
    tools: parts.filter((part): part is ToolPart => part.type === "tool"),
    violations: normalizer.violations(),
    unknown: [...normalizer.unknownKinds],
  };
}

test.each(readdirSync(FIXTURES).map((file) => file.replace(".jsonl", "")))("%s keeps every law", async (name) => {
  const { violations, unknown } = await normalize(name);
  expect({ violations, unknown }).toEqual({ violations: [], unknown: [] });
});

describe("what the CLI prints", () => {
  test("commands, tools of servers, plans and subagents are tools, each in the message of its response", async () => {
    const { tools, texts, answers, sessions } = await normalize("tools-and-retry");
    expect(tools.map(({ tool, state }) => [tool, state.status])).toEqual([
      ["bash", "error"],
      ["mcp", "completed"],
      ["todowrite", "completed"],
      ["task", "completed"],
      ["wait", "completed"],
      ["bash", "completed"],
    ]);
    expect(tools.map(({ state }) => (state.status === "completed" ? state.output : state.status))).toEqual([
      "error",
      "5",
      "",
      "",
      "Child result.",
      "one\n",
    ]);
    expect(texts).toEqual(["I will look.", "Done."]);
    expect(answers.map(({ finish }) => finish)).toEqual(["tool-calls", "tool-calls", "stop"]);
    expect(sessions[0]?.todos).toMatchObject([{ status: "completed" }, { status: "pending" }]);
    expect(sessions[1]?.info.parentID).toBe(sessions[0]?.info.id);
  });

  test("the count of the turn stands on its last message", async () => {
    const { answers } = await normalize("tools-and-retry");
    const sum = answers.reduce((tokens, answer) => addTokens(tokens, answer.tokens), NO_TOKENS);
    expect(sum).toMatchObject({ input: 420, output: 105, reasoning: 35, cache: { read: 280 } });
    expect(answers.at(-1)?.tokens).toEqual(sum);
  });

  test("patches name their files", async () => {
    const { tools } = await normalize("patch-and-search");
    expect(tools.find(({ tool }) => tool === "write")?.state.input).toMatchObject({
      files: [{ path: "a.txt", type: "add" }],
    });
    expect(tools.find(({ tool }) => tool === "websearch")?.state.input).toMatchObject({ query: "codex" });
  });

  test("a failed turn is an error, an unreachable model one that the end of the stream tells", async () => {
    expect((await normalize("failed")).answers).toMatchObject([
      { finish: "error", error: { name: "invalid_request" } },
    ]);
    expect((await normalize("unreachable")).answers).toMatchObject([
      { finish: "error", error: { name: "agent_exited" } },
    ]);
  });
});

describe("a stream of several turns", () => {
  const turn = (id: string, input: number) => [
    { type: "turn.started" },
    { type: "item.completed", item: { id: "item_0", type: "agent_message", text: id } },
    { type: "turn.completed", usage: { input_tokens: input, cached_input_tokens: 0, output_tokens: 0 } },
  ];

  test("counts each with what the thread's total grew by, and keeps items with the same ids apart", async () => {
    const started = { type: "thread.started", thread_id: "t" };
    const { answers, texts, violations } = await normalize([started, ...turn("One.", 100), ...turn("Two.", 150)]);
    expect(answers.map(({ tokens }) => tokens.input)).toEqual([100, 50]);
    expect(texts).toEqual(["One.", "Two."]);
    expect(violations).toEqual([]);
  });

  test("counts lines that it does not know", async () => {
    const lines = [{ type: "brand.new" }, { type: "item.completed", item: { id: "1", type: "brand_new" } }];
    expect((await normalize(lines)).unknown).toEqual([
      ["brand.new", 1],
      ["item.completed/brand_new", 1],
    ]);
  });
});
