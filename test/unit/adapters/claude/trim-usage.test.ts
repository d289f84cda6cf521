import { describe, expect, test } from "vitest";
import { trimFrame } from "../../../../adapters/claude/trim.js";
import { finishOf, mergeUsage, tokensOf, turnCost } from "../../../../adapters/claude/usage.js";
import { native } from "./native.js";

const LONG = "x".repeat(300);
const CUT = `${"x".repeat(100)}…`;

describe("trim", () => {
  test("the init line keeps what a step reads and loses what the CLI offers", () => {
    const line = native.init({
      tools: ["Bash"],
      slash_commands: ["a"],
      memory_paths: { a: "b" },
      messaging_socket_path: "/s",
    });
    expect(trimFrame(line)).toEqual({ ...native.init(), tools: [], slash_commands: [] });
  });

  test("the answer to initialize loses its lists; other answers stay", () => {
    const response = { commands: [1], models: [1], agents: [1], account: { a: 1 }, claude_code_version: "v" };
    const line = { type: "control_response", response: { subtype: "success", request_id: "aw_1", response } };
    expect(trimFrame(line)).toMatchObject({
      response: { response: { claude_code_version: "v", commands: [], models: [] } },
    });
    expect(JSON.stringify(trimFrame(line))).not.toContain("account");
    const other = {
      type: "control_response",
      response: { subtype: "success", request_id: "aw_2", response: { mode: "plan" } },
    };
    expect(trimFrame(other)).toBe(other);
  });

  test.each([
    ["a synthetic answer", { ...native.whole("m", { type: "text", text: LONG }), error: "unknown" }],
    [
      "a synthetic user line",
      { type: "user", isSynthetic: true, message: { content: [{ type: "text", text: LONG }] } },
    ],
    ["a synthetic user line of plain text", { type: "user", isSynthetic: true, message: { content: LONG } }],
    [
      "a call that was not run",
      {
        ...native.toolResult("t", LONG),
        tool_use_result: LONG,
        tool_result_meta: [{ id: "t", non_execution_kind: "user-rejected" }],
      },
    ],
    ["a failed result", native.result({ is_error: true, result: LONG, errors: [LONG] })],
    ["a notice", { type: "system", subtype: "informational", content: LONG }],
  ])("%s loses the vendor's prose", (_, line) => {
    const text = JSON.stringify(trimFrame(line));
    expect(text).toContain(CUT);
    expect(text).not.toContain(LONG);
  });

  test.each([
    ["an answer of the model", native.whole("m", { type: "text", text: LONG })],
    ["a tool's output", native.toolResult("t", LONG)],
    ["a prompt", { type: "user", message: { content: LONG } }],
    ["a good result", native.result({ result: LONG })],
    ["what is no object", "text"],
  ])("%s is kept", (_, line) => {
    expect(trimFrame(line)).toBe(line);
  });
});

describe("usage", () => {
  test("thinking is counted apart from the output that includes it", () => {
    const usage = { input_tokens: 1, output_tokens: 10, output_tokens_details: { thinking_tokens: 4 } };
    expect(tokensOf(usage)).toMatchObject({ input: 1, output: 6, reasoning: 4 });
    expect(tokensOf({ output_tokens: 3, output_tokens_details: { thinking_tokens: 4 } }).output).toBe(0);
  });

  test("nothing reported is nothing counted", () => {
    expect(tokensOf({ input_tokens: null })).toEqual({
      input: 0,
      output: 0,
      reasoning: 0,
      cache: { read: 0, write: 0 },
    });
  });

  test("cache writes are the sum, or what the lifetimes add up to", () => {
    const cache_creation = { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 3 };
    expect(tokensOf({ cache_creation_input_tokens: 7, cache_creation }).cache.write).toBe(7);
    expect(tokensOf({ cache_creation_input_tokens: 0, cache_creation }).cache.write).toBe(5);
  });

  test.each([
    ["the later value wins", { output_tokens: 1 }, { output_tokens: 9 }, { output_tokens: 9 }],
    [
      "a zero is no report",
      { input_tokens: 5 },
      { input_tokens: 0, output_tokens: 2 },
      { input_tokens: 5, output_tokens: 2 },
    ],
    ["null is no report", { input_tokens: 5 }, { input_tokens: null }, { input_tokens: 5 }],
    ["no report at all", { input_tokens: 5 }, undefined, { input_tokens: 5 }],
  ])("%s", (_, earlier, later, merged) => {
    expect(mergeUsage(earlier, later)).toEqual(merged);
  });

  test("a turn costs what it added, over all models, and not what the session has cost so far", () => {
    const result = {
      total_cost_usd: 9,
      model_usage_since_last_result: { a: { costUSD: 0.5 }, b: { costUSD: 0.25 }, c: {} },
    };
    expect(turnCost({ type: "result", ...result })).toBe(0.75);
    expect(turnCost({ type: "result", total_cost_usd: 9 })).toBe(0);
  });

  test.each([
    ["tool_use", true, "tool-calls"],
    ["max_tokens", false, "length"],
    ["model_context_window_exceeded", false, "length"],
    ["refusal", false, "refusal"],
    ["end_turn", true, "stop"],
    ["stop_sequence", false, "stop"],
    ["pause_turn", false, "stop"],
    ["brand_new", false, "stop"],
    [undefined, true, "tool-calls"],
    [null, false, "stop"],
  ])("a response that stopped for %s (tools: %s) finishes as %s", (reason, tools, finish) => {
    expect(finishOf(reason, tools)).toBe(finish);
  });
});
