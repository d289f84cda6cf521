import { describe, expect, test } from "vitest";
import { ADAPTERS, type AnyAdapter } from "../../../adapters/index.js";
import type { Block, Capability, Params, SessionStatus } from "../../../schemas/index.js";
import { GatewayError } from "../../../src/gateway-error.js";
import { checkPrompt, checkReply, checkTools } from "../../../src/session/check-request.js";
import { permission, question } from "../adapters/shared/draft.js";
import { session } from "../store/samples.js";

/** The kind and field a request is refused with; undefined when it is taken. */
function refusalOf(check: () => void): readonly (string | undefined)[] | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    const { kind, detail } = error as GatewayError;
    expect(error).toBeInstanceOf(GatewayError);
    return [kind, detail.field];
  }
}

const FILE = { type: "file" as const, mime: "image/png", url: "data:image/png;base64,AA==" };
const TEXT = { type: "text" as const, text: "go" };
const AGENT = { type: "agent" as const, name: "helper" };
const BUSY: SessionStatus = { type: "busy" };
const RETRY: SessionStatus = { type: "retry", attempt: 1, message: "", next: 1 };

function agentWith(...capabilities: Capability[]): AnyAdapter {
  return { ...(Object.values(ADAPTERS)[0] as AnyAdapter), capabilities };
}

type PromptRow = readonly [
  what: string,
  params: Partial<Params<"session.prompt">>,
  status: SessionStatus,
  agent: AnyAdapter,
  refused: readonly [kind: string, field: string] | undefined,
];

const PROMPTS: readonly PromptRow[] = [
  ["text to an idle session", {}, { type: "idle" }, agentWith(), undefined],
  ["text to a busy one waits", {}, BUSY, agentWith(), undefined],
  ["a queued one", { delivery: "queue" }, BUSY, agentWith(), undefined],
  ["reject, and it is idle", { delivery: "reject" }, { type: "idle" }, agentWith(), undefined],
  ["reject, and it is busy", { delivery: "reject" }, BUSY, agentWith(), ["busy", "delivery"]],
  ["reject, and it retries", { delivery: "reject" }, RETRY, agentWith(), ["busy", "delivery"]],
  ["steer an agent that can't be", { delivery: "steer" }, BUSY, agentWith(), ["not_supported", "delivery"]],
  ["steer one that can", { delivery: "steer" }, BUSY, agentWith("steer"), undefined],
  [
    "a part that nobody takes",
    { parts: [AGENT] },
    { type: "idle" },
    agentWith("images"),
    ["not_supported", "parts[0].type"],
  ],
  [
    "ids that ascend",
    {
      parts: [
        { ...TEXT, id: "prt_1" },
        { ...TEXT, id: "prt_2" },
      ],
    },
    { type: "idle" },
    agentWith(),
    undefined,
  ],
  [
    "ids that descend",
    {
      parts: [
        { ...TEXT, id: "prt_2" },
        { ...TEXT, id: "prt_1" },
      ],
    },
    { type: "idle" },
    agentWith(),
    ["invalid_params", "parts[1].id"],
  ],
  [
    "the same id twice",
    {
      parts: [
        { ...TEXT, id: "prt_1" },
        { ...TEXT, id: "prt_1" },
      ],
    },
    { type: "idle" },
    agentWith(),
    ["invalid_params", "parts[1].id"],
  ],
  [
    "an id only first",
    { parts: [{ ...TEXT, id: "prt_1" }, TEXT] },
    { type: "idle" },
    agentWith(),
    ["invalid_params", "parts[1].id"],
  ],
  [
    "an id only last",
    { parts: [TEXT, { ...TEXT, id: "prt_1" }] },
    { type: "idle" },
    agentWith(),
    ["invalid_params", "parts[0].id"],
  ],
];

test.each(PROMPTS)("a prompt: %s", (_, params, status, agent, refused) => {
  const full = { sessionID: "ses_1", parts: [TEXT], ...params };
  expect(refusalOf(() => checkPrompt(full, session("ses_1", { status }), agent))).toEqual(refused);
});

type ReplyRow = readonly [
  what: string,
  block: Block,
  reply: Partial<Params<"block.reply">>,
  refused: readonly [string, string] | undefined,
];
const ONE = permission("a");
const ALWAYS = permission("a", ["ls *"]);
const CALL: Block = { type: "call", id: "cal_a", name: "weather", input: {} };
const PDF = { ...FILE, mime: "application/pdf", url: "data:application/pdf;base64,AA==" };
const LINK = { ...FILE, url: "https://example.com/a.png" };
const TWO_QUESTIONS = question("q", "Which?", "Why?");

const REPLIES: readonly ReplyRow[] = [
  ["once", ONE, { decision: "once" }, undefined],
  ["reject with words", ONE, { decision: "reject", message: "no" }, undefined],
  ["always, and it is offered", ALWAYS, { decision: "always" }, undefined],
  ["always, and it is not", ONE, { decision: "always" }, ["not_supported", "decision"]],
  ["nothing", ONE, {}, ["invalid_params", "decision"]],
  ["answers to a permission", ONE, { answers: [["A"]] }, ["invalid_params", "answers"]],
  ["answers beside a decision", ONE, { decision: "once", answers: [] }, ["invalid_params", "answers"]],
  ["an answer to each question", TWO_QUESTIONS, { answers: [["A"], []] }, undefined],
  ["no answer at all to a question", TWO_QUESTIONS, {}, ["invalid_params", "answers"]],
  ["too few answers", TWO_QUESTIONS, { answers: [["A"]] }, ["invalid_params", "answers"]],
  ["too many answers", TWO_QUESTIONS, { answers: [["A"], ["B"], ["C"]] }, ["invalid_params", "answers"]],
  ["once to a question", TWO_QUESTIONS, { decision: "once" }, ["invalid_params", "answers"]],
  ["once beside answers", TWO_QUESTIONS, { decision: "once", answers: [["A"], ["B"]] }, ["invalid_params", "answers"]],
  ["reject to a question", TWO_QUESTIONS, { decision: "reject" }, undefined],
  ["an option of a question", TWO_QUESTIONS, { optionID: "a" }, ["invalid_params", "optionID"]],
  ["an output to a permission", ONE, { output: "done" }, ["invalid_params", "output"]],
  ["an error to a question", TWO_QUESTIONS, { error: "no" }, ["invalid_params", "error"]],
  ["an output", CALL, { output: "done" }, undefined],
  ["an empty output", CALL, { output: "" }, undefined],
  ["an error", CALL, { error: "no" }, undefined],
  ["an output with an image", CALL, { output: "", attachments: [FILE] }, undefined],
  ["nothing to a call", CALL, {}, ["invalid_params", "output"]],
  ["an output and an error", CALL, { output: "", error: "no" }, ["invalid_params", "error"]],
  ["an image beside an error", CALL, { error: "no", attachments: [FILE] }, ["invalid_params", "attachments"]],
  ["a file that is no image", CALL, { output: "", attachments: [FILE, PDF] }, ["not_supported", "attachments[1].url"]],
  ["an image elsewhere", CALL, { output: "", attachments: [LINK] }, ["not_supported", "attachments[0].url"]],
  ["a decision to a call", CALL, { decision: "reject" }, ["invalid_params", "decision"]],
  ["answers to a call", CALL, { answers: [] }, ["invalid_params", "answers"]],
  ["a message to a call", CALL, { output: "", message: "done" }, ["invalid_params", "message"]],
];

test.each(REPLIES)("a reply: %s", (_, block, reply, refused) => {
  expect(refusalOf(() => checkReply({ blockID: block.id, ...reply }, block, agentWith("images")))).toEqual(refused);
});

test("an attachment is refused where the agent takes no images", () => {
  const check = () => checkReply({ blockID: CALL.id, output: "", attachments: [FILE] }, CALL, agentWith());
  expect(refusalOf(check)).toEqual(["not_supported", "attachments"]);
});

test("tools are refused where the agent cannot call them", () => {
  const tools = [{ name: "weather", description: "Tells it", inputSchema: { type: "object" as const } }];
  expect(refusalOf(() => checkTools(tools, agentWith()))).toEqual(["not_supported", "tools"]);
  expect(refusalOf(() => checkTools(tools, agentWith("client-tools")))).toBeUndefined();
  expect(refusalOf(() => checkTools([], agentWith()))).toBeUndefined();
  expect(refusalOf(() => checkTools(undefined, agentWith()))).toBeUndefined();
});

describe("a refusal says what to do", () => {
  test.each([
    [
      "busy",
      () =>
        checkPrompt(
          { sessionID: "ses_1", parts: [TEXT], delivery: "reject" },
          session("ses_1", { status: BUSY }),
          agentWith(),
        ),
    ],
    ["always", () => checkReply({ blockID: "per_a", decision: "always" }, ONE, agentWith())],
    ["a call", () => checkReply({ blockID: "cal_a" }, CALL, agentWith())],
    ["a wrong kind", () => checkReply({ blockID: "cal_a", decision: "once" }, CALL, agentWith())],
    ["answers", () => checkReply({ blockID: "que_q", answers: [] }, TWO_QUESTIONS, agentWith())],
  ])("%s", (_, check) => {
    expect(check).toThrow(expect.objectContaining({ detail: expect.objectContaining({ hint: expect.any(String) }) }));
  });
});
