import { describe, expect, test } from "vitest";
import { native, running, THREAD } from "./story.js";

const asked = (change = {}) => running().lines(native.start(native.exec("c1")), native.ask(0, "c1", change));

describe("a command that is asked for", () => {
  test.each([
    ["once", { decision: "once" }, "accept", "running"],
    ["always", { decision: "always" }, "acceptForSession", "running"],
    ["reject", { decision: "reject" }, "decline", "error"],
  ] as const)("%s", (_name, reply, decision, status) => {
    const story = asked();
    expect(story.block()).toMatchObject({ permission: "bash", patterns: ["touch a"], always: ["touch a"] });
    story.reply(reply);
    expect(story.said).toEqual([{ token: "0", result: { decision } }]);
    expect(story.tool.status).toBe(status);
    story.lines(native.resolved(0), native.turnEnd()).expectLawful();
  });

  test("rejected with the turn is a cancel, and an interrupt", () => {
    const story = asked().reply({ decision: "reject", interrupt: true });
    expect(story.said).toMatchObject([{ result: { decision: "cancel" } }, { method: "turn/interrupt" }]);
    story.lines(native.turnEnd("t1", "interrupted")).expectLawful();
  });

  test("a person's reason is sent before the answer, a rule's is not", () => {
    const story = asked().reply({ decision: "reject", message: "Use b." });
    expect(story.said).toMatchObject([
      { method: "turn/steer", params: { input: [{ text: "Use b." }] } },
      { token: "0" },
    ]);
    story.lines(native.start(native.user("u2", "Use b.")), native.turnEnd());
    expect(story.messages().filter(({ role }) => role === "user")).toHaveLength(1);
    story.expectLawful();
    expect(asked().reply({ decision: "reject", message: "A rule", decidedBy: "rule" }).said).toHaveLength(1);
  });

  test("an amendment is an option, and goes back as it came", () => {
    const amendment = { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["touch"] } };
    const story = asked({ availableDecisions: ["accept", amendment, "cancel"] });
    expect(story.block()).toMatchObject({ options: [{ optionID: "acceptWithExecpolicyAmendment", decision: "once" }] });
    story.reply({ optionID: "acceptWithExecpolicyAmendment" });
    expect(story.said).toEqual([{ token: "0", result: { decision: amendment } }]);
    story.lines(native.turnEnd()).expectLawful();
  });

  test("the same request again is the same ask", () => {
    const story = asked().lines(native.ask(0, "c1"));
    expect(story.tools()).toHaveLength(1);
  });

  test("a second ask on one item has a part of its own", () => {
    const story = asked().lines(native.ask(1, "c1"));
    expect(story.tools().map(({ callID }) => callID)).toEqual(["1.c1", "1.c1#2"]);
    story.reply({ decision: "once" }, story.block(1).id).reply({ decision: "once" });
    expect(story.sent.slice(-2)).toMatchObject([{ token: "1" }, { token: "0" }]);
    story.lines(native.turnEnd()).expectLawful();
  });

  test.each([
    ["once", "completed", "accept"],
    ["reject", "error", "decline"],
  ] as const)("input to a command that runs is decided by itself (%s)", (decision, status, answer) => {
    const story = running().lines(native.start(native.exec("c1")));
    const command = "write_stdin --session-id 34719 'rm -rf /\n'";
    story.lines(native.ask(0, "c1", { approvalId: "w1", kind: "writeStdin", command }));
    expect(story.block()).toMatchObject({ patterns: ["write_stdin rm -rf /\n"], always: [] });
    story.reply({ decision });
    expect(story.said).toEqual([{ token: "0", result: { decision: answer } }]);
    story.lines(native.end(native.exec("c1", { status: "completed", aggregatedOutput: "done", exitCode: 0 })));
    expect(story.tools().map(({ callID, state }) => [callID, state.status])).toEqual([
      ["1.c1", "completed"],
      ["1.w1", status],
    ]);
    story.lines(native.turnEnd()).expectLawful();
  });

  test("an ask whose item was never told opens its part", () => {
    const story = running().lines(native.ask(0, "c9"));
    story
      .reply({ decision: "once" })
      .lines(native.end(native.exec("c9", { status: "completed", aggregatedOutput: "x", exitCode: 0 })));
    expect(story.tool).toMatchObject({ status: "completed", output: "x", block: { decision: "once" } });
    story.lines(native.turnEnd()).expectLawful();
  });

  test.each([
    ["completed", "once"],
    ["declined", "reject"],
  ])("answered elsewhere: the end tells the verdict (%s)", (status, decision) => {
    const story = asked().lines(native.resolved(0));
    expect(story.tool.status).toBe("running");
    story.lines(native.end(native.exec("c1", { status, aggregatedOutput: "", exitCode: 0 })));
    expect(story.tool).toMatchObject({ block: { decision, decidedBy: "agent" } });
    story.lines(native.turnEnd()).expectLawful();
  });

  test("of a turn that is over is denied at once", () => {
    const story = running().lines(native.turnEnd(), native.ask(5, "c1"));
    expect(story.said).toEqual([{ token: "5", result: { decision: "decline" } }]);
  });

  test("an abort leaves no ask behind", () => {
    const story = asked();
    const { id } = story.block();
    story
      .command({ type: "abort" })
      .lines(native.turnEnd("t1", "interrupted"), native.resolved(0))
      .reply({ decision: "once" }, id);
    expect(story.said).toEqual([]);
    expect(story.tool).toMatchObject({ status: "error", block: { decision: "reject", decidedBy: "user" } });
    story.expectLawful();
  });
});

const request = (method: string, params: Record<string, unknown>, id = 0) => ({
  id,
  method,
  params: { threadId: THREAD, turnId: "t1", ...params },
});

describe("other requests", () => {
  test.each([
    ["unknown", "attestation/generate", {}, -32601],
    ["malformed", "item/commandExecution/requestApproval", { itemId: 7 }, -32602],
    ["a legacy one", "execCommandApproval", {}, -32601],
  ])("%s: an error, never silence", (_name, method, params, code) => {
    const story = running().lines(request(method, params));
    expect(story.said).toMatchObject([{ token: "0", error: { code } }]);
  });

  test.each([undefined, null, "text", 7, []])("one whose params are %j: an error too", (params) => {
    const story = running().lines({ id: 0, method: "item/tool/call", params });
    expect(story.said).toMatchObject([{ token: "0", error: { code: -32602 } }]);
  });

  test("a patch shows the diff of its item", () => {
    const changes = [{ path: "/work/a.txt", kind: { type: "add" }, diff: "one\n" }];
    const story = running().lines(
      native.start({ type: "fileChange", id: "p1", changes, status: "inProgress" }),
      request("item/fileChange/requestApproval", { itemId: "p1" }),
    );
    expect(story.tools()[0]?.tool).toBe("write");
    expect(story.block()).toMatchObject({
      permission: "edit",
      patterns: ["a.txt"],
      metadata: { diff: expect.stringContaining("+one") },
    });
    story.reply({ decision: "reject" });
    expect(story.said).toEqual([{ token: "0", result: { decision: "decline" } }]);
    story.lines(native.turnEnd()).expectLawful();
  });

  test.each([
    ["always", { network: { enabled: true } }, "session"],
    ["reject", {}, "turn"],
  ] as const)("permissions: %s", (decision, permissions, scope) => {
    const wanted = { network: { enabled: true }, fileSystem: null };
    const story = running().lines(
      request("item/permissions/requestApproval", { itemId: "r1", permissions: wanted, reason: "net" }),
    );
    expect(story.block()).toMatchObject({ permission: "permissions", patterns: ["network"] });
    story.reply({ decision });
    expect(story.said).toEqual([{ token: "0", result: { permissions, scope } }]);
    story.lines(native.turnEnd()).expectLawful();
  });

  test("questions: answers by id; a secret is kept nowhere", () => {
    const questions = [
      { id: "db", header: "DB", question: "Which?", isOther: false, options: [{ label: "a", description: "" }] },
      { id: "key", header: "Key", question: "Key?", isSecret: true, options: null },
    ];
    const story = running().lines(request("item/tool/requestUserInput", { itemId: "q1", questions, isBlocking: true }));
    expect(story.block()).toMatchObject({
      questions: [{ custom: false }, { custom: true }],
      metadata: { secret: [false, true] },
    });
    story.reply({ answers: [["a"], ["hunter2"]] });
    expect(story.said).toEqual([
      { token: "0", result: { answers: { db: { answers: ["a"] }, key: { answers: ["hunter2"] } } } },
    ]);
    expect(JSON.stringify([story.outputs.filter(({ kind }) => kind === "wire"), story.state])).not.toContain("hunter2");
    story.lines(native.turnEnd()).expectLawful();
  });
});

describe("MCP", () => {
  const call = (id: string, args = {}) =>
    native.start({ type: "mcpToolCall", id, server: "lab", tool: "write", arguments: args, status: "inProgress" });
  const elicit = (id: number, change: Record<string, unknown>) =>
    request(
      "mcpServer/elicitation/request",
      { serverName: "lab", mode: "form", message: "May it?", requestedSchema: {}, ...change },
      id,
    );
  const approval = (id: number, params: unknown, persist?: string[]) =>
    elicit(id, {
      _meta: {
        codex_approval_kind: "mcp_tool_call",
        tool_name: "write",
        tool_params: params,
        ...(persist && { persist }),
      },
    });

  test("an approval finds its call by server, tool and input", () => {
    const story = running().lines(
      call("m1", { a: 1, b: 2 }),
      call("m2", { a: 2 }),
      approval(0, { a: 2 }),
      approval(1, { b: 2, a: 1 }),
    );
    expect(story.tools().map(({ state }) => state.status)).toEqual(["blocked", "blocked"]);
    expect(story.block(0)).toMatchObject({ patterns: ["lab/write"], always: [] });
    story.reply({ decision: "once" }, story.block(1).id);
    expect(story.said).toEqual([{ token: "0", result: { action: "accept", content: {}, _meta: null } }]);
    story.lines(native.turnEnd()).expectLawful();
  });

  test("always is offered where the server's rule can be kept", () => {
    const story = running()
      .lines(call("m1"), approval(0, {}, ["session", "always"]))
      .reply({ decision: "always" });
    expect(story.said).toEqual([
      { token: "0", result: { action: "accept", content: {}, _meta: { persist: "session" } } },
    ]);
  });

  test("a form stands on the call that asks, and is filled in by type", () => {
    const requestedSchema = {
      type: "object",
      properties: { colour: { type: "string", enum: ["red"] }, sure: { type: "boolean" }, n: { type: "integer" } },
    };
    const story = running().lines(call("m1"), elicit(0, { requestedSchema }));
    expect(story.block()).toMatchObject({ type: "question", questions: [{ options: [{ label: "red" }] }, {}, {}] });
    story.reply({ answers: [["red"], ["true"], ["7"]] });
    expect(story.said).toEqual([
      { token: "0", result: { action: "accept", content: { colour: "red", sure: true, n: 7 }, _meta: null } },
    ]);
    expect(story.tool.status).toBe("running");
    story.lines(native.turnEnd()).expectLawful();
  });

  test("an address without a call has a part of its own", () => {
    const story = running().lines(elicit(0, { mode: "url", url: "https://example.com" }));
    expect(story.block()).toMatchObject({ metadata: { url: "https://example.com" } });
    story.reply({ decision: "reject" });
    expect(story.said).toMatchObject([{ result: { action: "decline" } }]);
    story.lines(native.turnEnd()).expectLawful();
  });
});
