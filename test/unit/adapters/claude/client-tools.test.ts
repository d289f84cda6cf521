import { describe, expect, test } from "vitest";
import { claude } from "../../../../adapters/claude/index.js";
import { childOf, subagent, working } from "./children.js";
import { type Json, native } from "./native.js";
import { Story, withCall } from "./story.js";

const TOOL = { name: "weather", description: "Tells it", inputSchema: { type: "object" as const }, readOnly: true };
const NAME = "mcp__agentwire__weather";

function rpc(requestID: string, message: Json, server = "agentwire"): Json {
  const request = { subtype: "mcp_message", server_name: server, message: { jsonrpc: "2.0", ...message } };
  return { type: "control_request", request_id: requestID, request };
}

function call(requestID: string, id: number, callID: string | undefined, input: Json = {}, name = "weather"): Json {
  const _meta = callID === undefined ? {} : { "claudecode/toolUseId": callID };
  return rpc(requestID, { id, method: "tools/call", params: { name, arguments: input, _meta } });
}

const serving = () => new Story({ tools: [TOOL] });
const running = (input: Json = {}) => withCall("t1", NAME, input, serving());
const waiting = () => running().lines(call("r1", 7, "t1"));
/** What the server that the client is answered to a request. */
const told = (story: Story, requestID: string) =>
  story.answers(requestID).map(({ response }) => (response as Json).mcp_response as Json);

describe("the client as a server of tools", () => {
  test("is announced to each process, and only where it serves any", () => {
    const story = serving().prompt();
    expect(story.sent[0]).toMatchObject({ request: { subtype: "initialize", sdkMcpServers: ["agentwire"] } });
    story.exit().prompt("again");
    expect(story.sent.filter(({ type }) => type === "control_request").at(-1)).toMatchObject({
      request: { sdkMcpServers: ["agentwire"] },
    });
    expect(new Story().prompt().sent[0]?.request).not.toHaveProperty("sdkMcpServers");
  });

  test.each([
    ["initialize", { params: { protocolVersion: "x" } }, { result: { protocolVersion: "x" } }],
    ["ping", {}, { result: {} }],
    ["tools/list", {}, { result: { tools: [{ name: "weather", annotations: { readOnlyHint: true } }] } }],
    ["prompts/list", {}, { error: { code: -32601, message: "there is no method prompts/list" } }],
    ["tools/call", { params: {} }, { error: { code: -32602 } }],
  ])("answers %s", (method, change, answer) => {
    const story = serving().lines(rpc("r1", { id: "x", method, ...change }));
    expect(told(story, "r1")).toMatchObject([{ jsonrpc: "2.0", id: "x", ...answer }]);
    expect(story.parts).toEqual([]);
  });

  test("answers a notification, and a message that is none with an error", () => {
    const story = serving().lines(rpc("r1", { method: "notifications/initialized" }), rpc("r2", { id: 1 }));
    expect(told(story, "r1")).toMatchObject([{ result: {} }]);
    expect(story.answers("r2")).toMatchObject([{ subtype: "error" }]);
  });
});

describe("a call", () => {
  test("waits for the client, and the CLI's own result completes it", () => {
    const story = running({ place: "Bern" }).lines(call("r1", 7, "t1", { place: "Bern" }));
    expect(story.blockOf()).toEqual({
      type: "call",
      id: expect.stringMatching(/^cal_/),
      name: "weather",
      input: { place: "Bern" },
    });
    expect(story.tools[0]).toMatchObject({ tool: "client", state: { title: "weather" } });
    story.reply({ output: "rain" });
    expect(told(story, "r1")).toEqual([
      { jsonrpc: "2.0", id: 7, result: { content: [{ type: "text", text: "rain" }] } },
    ]);
    expect(story.tool("t1")).toMatchObject({ status: "running", block: { output: "rain", decidedBy: "user" } });
    story.lines(native.toolResult("t1", "rain, it says"), native.result());
    expect(story.tool("t1")).toMatchObject({ status: "completed", output: "rain, it says", block: { output: "rain" } });
    story.expectLawful();
  });

  test.each([
    ["an error", { error: "no" }, { content: [{ type: "text", text: "no" }], isError: true }],
    ["an empty output", { output: "" }, { content: [{ type: "text", text: "" }] }],
    [
      "an image alone",
      { output: "", attachments: [{ type: "file", mime: "image/png", url: "data:image/png;base64,AA==" }] },
      { content: [{ type: "image", mimeType: "image/png", data: "AA==" }] },
    ],
  ] as const)("is answered with %s", (_, reply, result) => {
    expect(told(waiting().reply(reply as never), "r1")).toEqual([{ jsonrpc: "2.0", id: 7, result }]);
  });

  test("that was asked for keeps the permission as an earlier block", () => {
    const story = running().lines(native.ask("a1", "t1", NAME, {}));
    expect(story.blockOf()).toMatchObject({ type: "permission", permission: "client", patterns: ["weather"] });
    story
      .reply({ decision: "once" })
      .lines(call("r1", 7, "t1"))
      .reply({ output: "rain" });
    expect(story.tool("t1")).toMatchObject({
      block: { type: "call" },
      priorBlocks: [{ type: "permission", decision: "once" }],
    });
    story.lines(native.result()).expectLawful();
  });

  test("that comes while its permission still waits was allowed by the agent", () => {
    const story = running().lines(native.ask("a1", "t1", NAME, {}), call("r1", 7, "t1"));
    expect(story.tool("t1")).toMatchObject({
      block: { type: "call" },
      priorBlocks: [{ decision: "once", decidedBy: "agent" }],
    });
    story.reply({ output: "rain" }).lines(native.result()).expectLawful();
  });

  test.each([
    ["the one with the same input", [{ a: 1 }, { a: 2 }], { a: 2 }, "t2"],
    ["any other of the tool", [{ a: 1 }, { a: 2 }], { a: 3 }, "t1"],
  ])("that does not name its call stands on %s", (_, [first, second], input, callID) => {
    const story = running(first).lines(
      native.whole("m2", native.call("t2", NAME, second ?? {})),
      call("r1", 7, undefined, input),
    );
    expect(story.tool(callID).status).toBe("blocked");
    story.lines(native.result()).expectLawful();
  });

  test("that names a call which is not open has a part of its own", () => {
    const story = running().lines(call("r1", 7, "t9"));
    expect(story.tool("t1").status).toBe("running");
    expect(story.tool("r1")).toMatchObject({ status: "blocked", block: { type: "call" } });
    story.reply({ output: "rain" }).lines(native.result()).expectLawful();
  });

  test("that does not name its call takes none that was carried out already", () => {
    const story = waiting()
      .reply({ output: "rain" })
      .lines(call("r2", 8, undefined));
    expect(story.tool("r2")).toMatchObject({ status: "blocked", block: { type: "call" } });
    story.lines(native.result()).expectLawful();
  });

  test.each([
    ["output", { output: "rain" }, { status: "completed", output: "rain" }],
    ["error", { error: "no" }, { status: "error", error: "no" }],
  ])("that belongs to no call of the CLI has a part of its own, which ends with its %s", (_, reply, state) => {
    const story = serving()
      .prompt()
      .lines(native.init(), call("r1", 7, undefined))
      .reply(reply);
    expect(story.tool("r1")).toMatchObject(state);
    story.lines(native.result()).expectLawful();
  });

  test("of a subagent waits in its session", () => {
    const story = working().lines(
      subagent.line(native.whole("m9", native.call("s1", NAME, {})), "t1", "a1"),
      call("r1", 7, "s1"),
    );
    expect(childOf(story).tools).toMatchObject([{ callID: "s1", state: { status: "blocked" } }]);
    story.reply({ output: "rain" });
    expect(story.tool("s1")).toMatchObject({ status: "running", block: { output: "rain" } });
    story.exit().expectLawful();
  });
});

describe("a call that nobody answers", () => {
  test("is taken back by the CLI", () => {
    const story = waiting().lines(rpc("r2", { method: "notifications/cancelled", params: { requestId: 7 } }));
    expect(story.tool("t1")).toMatchObject({ status: "running", block: { type: "call", decidedBy: "agent" } });
    expect(told(story, "r2")).toHaveLength(1);
    story.lines(native.toolResult("t1", "timed out", { is_error: true }), native.result()).expectLawful();
  });

  test("is taken back as a request", () => {
    const story = waiting().lines(native.withdraw("r1"));
    expect(story.tool("t1")).toMatchObject({ status: "running", block: { decidedBy: "agent" } });
    story.lines(native.result()).expectLawful();
  });

  test("another call's end leaves it alone", () => {
    const story = waiting().lines(rpc("r2", { method: "notifications/cancelled", params: { requestId: 8 } }));
    expect(story.tool("t1").status).toBe("blocked");
  });

  test.each([
    ["an abort", (story: Story) => story.abort(), "user"],
    ["the turn's end", (story: Story) => story.lines(native.result()), "agent"],
    ["the CLI's own result", (story: Story) => story.lines(native.toolResult("t1", "no")), "agent"],
    ["a crash", (story: Story) => story.exit({ signal: "SIGKILL" }), "agent"],
    ["a shutdown", (story: Story) => story.exit({ lost: true }), "shutdown"],
  ])("ends with %s", (_, end, decidedBy) => {
    const story = end(waiting());
    const state = story.tool("t1");
    expect(state).toMatchObject({ block: { type: "call", decidedBy } });
    expect("block" in state && state.block).not.toHaveProperty("output");
    const sent = story.sent.length;
    expect(story.reply({ output: "late" }, "cal_late").sent).toHaveLength(sent);
    story.exit().expectLawful();
  });
});

describe("in a recording", () => {
  const answer = (story: Story, mcp_response: Json) =>
    claude.observe(story.state, {
      type: "control_response",
      response: { subtype: "success", request_id: "r1", response: { mcp_response } },
    });

  test.each([
    ["an output", { result: { content: [{ type: "text", text: "rain" }] } }, { output: "rain" }],
    ["an error", { result: { content: [{ type: "text", text: "no" }], isError: true } }, { error: "no" }],
    ["a failure", { error: { code: 1, message: "no" } }, { error: "no" }],
    [
      "an image",
      { result: { content: [{ type: "image", mimeType: "image/png", data: "AA==" }] } },
      { output: "", attachments: [{ type: "file", mime: "image/png", url: "data:image/png;base64,AA==" }] },
    ],
  ])("%s is read back", (_, response, reply) => {
    const story = waiting();
    expect(answer(story, response)).toEqual({
      type: "reply",
      blockID: story.blockOf().id,
      decidedBy: "user",
      ...reply,
    });
  });

  test("another program's server is a server of tools like any other", () => {
    const story = withCall("t1", "mcp__gw__x", {}).lines(
      rpc("r1", { id: 7, method: "tools/call", params: { name: "x" } }, "gw"),
    );
    expect(story.tools[0]).toMatchObject({ tool: "mcp", state: { status: "blocked", block: { name: "x" } } });
  });
});
