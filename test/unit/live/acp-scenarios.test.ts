import { describe, expect, test } from "vitest";
import { ACP_AGENTS } from "../../live/acp/acp-agents.js";
import { asMessages } from "../../live/acp/as-messages.js";
import { asResponses } from "../../live/acp/as-responses.js";
import { acpScenarios } from "../../live/acp/scenarios.js";
import {
  answer,
  emptyStream,
  hang,
  httpError,
  type Lanes,
  say,
  text,
  thought,
} from "../../live/model-server/script.js";
import { REQUIREMENTS } from "../../requirements.js";

describe.each(ACP_AGENTS.map((agent) => [agent.id, agent] as const))("%s", (_id, agent) => {
  const scenarios = acpScenarios(agent);
  const names = scenarios.map(({ name }) => name);

  test("plays eight stories or more, whose names are unique and can be folder names", () => {
    expect(names.length).toBeGreaterThanOrEqual(8);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
  });

  test("claims promises that there are, in stories with a sentence for a title", () => {
    const known = new Set(REQUIREMENTS.map(({ id }) => id));
    const wrong = scenarios.filter(
      ({ title, requirements }) => !/^[A-Z].*\.$/.test(title) || !requirements.every((id) => known.has(id)),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  test("tells what it does instead of what it lacks, of promises that there are", () => {
    const known = new Set(REQUIREMENTS.map(({ id }) => id));
    const wrong = Object.entries(agent.lacks).filter(([id, reason]) => !known.has(id) || !/^[A-Z].*\.$/.test(reason));
    expect(wrong).toEqual([]);
  });
});

const LANES: Lanes = {
  main: [
    answer([
      thought("Hm?", { chunk: 1 }),
      text("Yes.", { gate: "g", after: 1, fault: { status: 429, message: "slow" } }),
      { type: "call", name: "shell", input: { a: 1 } },
      { type: "call", name: "patch", input: {}, freeform: "*** Begin" },
    ]),
    say("Cut", { finish: "length", gate: "all" }),
    say("No", { finish: "refusal" }),
    httpError(401, "no key"),
    emptyStream(),
    hang("asked"),
  ],
};

test("a script says the same in the words of the Messages API", () => {
  const [first, cut, refused, failed, ...rest] = asMessages(LANES).main ?? [];
  expect(first).toMatchObject({
    kind: "message",
    blocks: [
      { type: "thinking", thinking: "Hm?", chunk: 1 },
      { type: "text", text: "Yes.", gate: "g", after: 1, fault: { type: "rate_limit_error", message: "slow" } },
      { type: "tool_use", name: "shell", json: '{"a":1}' },
      { type: "tool_use", name: "patch" },
    ],
  });
  expect(cut).toMatchObject({ stopReason: "max_tokens", gate: "all" });
  expect(refused).toMatchObject({ stopReason: "refusal" });
  expect(failed).toMatchObject({ kind: "error", status: 401, type: "authentication_error" });
  expect(rest).toEqual([{ kind: "empty" }, { kind: "hang", gate: "asked" }]);
});

test("a script says the same in the words of the Responses API", () => {
  const [first, cut, refused, failed, ...rest] = asResponses(LANES).main ?? [];
  expect(first).toMatchObject({
    kind: "output",
    items: [
      { type: "reasoning", summary: ["Hm?"], chunk: 1 },
      { type: "text", text: "Yes.", gate: "g", after: 1, fault: { failed: { code: "http_429", message: "slow" } } },
      { type: "call", name: "shell", json: '{"a":1}' },
      { type: "custom", name: "patch", input: "*** Begin" },
    ],
  });
  expect(cut).toMatchObject({ fault: { incomplete: "max_output_tokens" }, gate: "all" });
  expect(refused).toMatchObject({ fault: { incomplete: "content_filter" } });
  expect(failed).toMatchObject({ kind: "error", status: 401, error: { message: "no key" } });
  expect(rest).toEqual([{ kind: "empty" }, { kind: "hang", gate: "asked" }]);
});
