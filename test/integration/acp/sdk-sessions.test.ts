import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { isRunning } from "../gateway/rig.js";
import { createFolder, SdkRig } from "./sdk-rig.js";

describe("a session with an agent that is built with the protocol's SDK", () => {
  test("begins with what this client can do, and servers of tools in the protocol's form", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.create({
      mcpServers: {
        stdio: { type: "stdio", command: "tools", args: ["-x"], env: { A: "1" } },
        web: { type: "http", url: "http://127.0.0.1:1/", headers: { h: "v" } },
      },
    });
    await rig.run("say", sessionID);
    expect(rig.latest("initialize")).toMatchObject({
      protocolVersion: 1,
      clientCapabilities: {
        fs: { readTextFile: false, writeTextFile: false },
        terminal: false,
        elicitation: { form: {}, url: {} },
        subagents: {},
        session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
      },
    });
    expect(rig.latest("new")).toMatchObject({
      cwd: rig.directory,
      mcpServers: [
        { name: "stdio", command: "tools", args: ["-x"], env: [{ name: "A", value: "1" }] },
        { type: "http", name: "web", url: "http://127.0.0.1:1/", headers: [{ name: "h", value: "v" }] },
      ],
    });
    expect(rig.agentLog.some((entry) => "authenticate" in entry)).toBe(false);
  });

  test("takes pictures, texts and links in a prompt, as its abilities allow", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.create();
    const link = pathToFileURL(join(rig.directory, "readme.md")).href;
    writeFileSync(join(rig.directory, "readme.md"), "# Read me");
    await rig.gateway.handle("session.prompt", {
      sessionID,
      parts: [
        { type: "text", text: "say" },
        { type: "file", mime: "image/png", url: "data:image/png;base64,AAAA" },
        { type: "file", mime: "audio/wav", url: "data:audio/wav;base64,BBBB" },
        { type: "file", mime: "text/plain", filename: "note.txt", url: "data:text/plain,hello%20you" },
        { type: "file", mime: "text/markdown", url: link },
      ],
    });
    await rig.idle(sessionID);
    expect(rig.latest("prompt")).toEqual([
      { type: "text", text: "say" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "audio", data: "BBBB", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "attachment:note.txt", mimeType: "text/plain", text: "hello you" } },
      { type: "resource_link", uri: link, name: "readme.md", mimeType: "text/markdown" },
    ]);
  });

  test("tells of a picture that the agent cannot take", async () => {
    const rig = new SdkRig(["--no-image"]);
    const sessionID = await rig.create();
    const parts = [{ type: "file" as const, mime: "image/png", url: "data:image/png;base64,AAAA" }];
    await rig.gateway.handle("session.prompt", { sessionID, parts });
    await rig.idle(sessionID);
    expect(rig.last(sessionID)).toMatchObject({ finish: "error", error: { name: "invalid_request" } });
    expect(rig.agentLog.some((entry) => "prompt" in entry)).toBe(false);
  });

  test.each([
    ["auth", { name: "auth", message: expect.stringContaining("acp-agent login") }],
    ["busy", { name: "rate_limit", retryable: true, message: "429 Too Many Requests" }],
    ["down", { name: "network", retryable: true }],
  ])("the error %s is told by its kind", async (word, error) => {
    const rig = new SdkRig();
    const sessionID = await rig.run(`say ${word}`);
    expect(rig.last(sessionID)).toMatchObject({ finish: "error", error });
    expect(rig.texts(sessionID)).toEqual(["Hello there."]);
    await rig.run("say", sessionID);
    expect(rig.last(sessionID)).toMatchObject({ finish: "stop" });
  });

  test.each([
    ["limit", "length"],
    ["turns", "length"],
    ["refuse", "refusal"],
  ])("the end %s is the finish %s", async (word, finish) => {
    const rig = new SdkRig();
    expect(rig.last(await rig.run(`say ${word}`))).toMatchObject({ finish });
  });

  test("an agent that wants a sign-in says how, and is not asked to begin one", async () => {
    const rig = new SdkRig(["--signed-out"]);
    const sessionID = await rig.run("say");
    expect(rig.last(sessionID)).toMatchObject({
      finish: "error",
      error: { name: "auth", message: expect.stringContaining("run `acp-agent login`") },
    });
    expect(rig.agentLog.some((entry) => "authenticate" in entry)).toBe(false);
  });

  test("an agent of another version of the protocol is refused", async () => {
    const rig = new SdkRig(["--v2"]);
    expect(rig.last(await rig.run("say"))).toMatchObject({ finish: "error", error: { name: "protocol" } });
  });
});

describe("settings", () => {
  test("are in force before the first prompt, in the agent's own words", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.create({ model: "large" });
    await rig.gateway.handle("session.setOption", { sessionID, option: "mode", value: "plan" });
    await rig.run("say", sessionID);
    const order = rig.agentLog
      .flatMap((entry) => Object.keys(entry))
      .filter((name) => ["set", "prompt"].includes(name));
    expect(order).toEqual(["set", "set", "prompt"]);
    expect(rig.native(sessionID)).toMatchObject({ model: "large", mode: "plan" });
  });

  test("hang together: the list is read whole after each change", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.run("say");
    expect(rig.native(sessionID).options).toMatchObject({ effort: "low" });
    const { session } = await rig.gateway.handle("session.setModel", { sessionID, model: "large" });
    expect(session).toMatchObject({ model: "large" });
    expect(rig.native(sessionID).options).not.toHaveProperty("effort");
  });

  test("that the agent refuses are refused, with its reason", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.run("say");
    const refused = rig.gateway.handle("session.setModel", { sessionID, model: "huge" });
    await expect(refused).rejects.toMatchObject({ kind: "not_supported", message: expect.stringContaining("huge") });
    const { session } = await rig.gateway.handle("session.get", { sessionID });
    expect(session.model).toBeUndefined();
  });

  test("that cannot be had end the turn before it is sent", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.create({ model: "huge" });
    await rig.run("say", sessionID);
    expect(rig.last(sessionID)).toMatchObject({ finish: "error", error: { name: "invalid_request" } });
    expect(rig.agentLog.some((entry) => "prompt" in entry)).toBe(false);
  });

  test("a mode that nothing is known of is refused", async () => {
    const rig = new SdkRig();
    await expect(
      rig.gateway.handle("session.setMode", { sessionID: await rig.create(), mode: "plan" }),
    ).rejects.toMatchObject({
      kind: "not_supported",
    });
  });
});

describe("ends", () => {
  test("an abort cancels the turn, and the session goes on", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "wait");
    await rig.until("it speaks", () => rig.typed("message.part.delta").length > 0);
    await rig.prompt(sessionID, "say");
    await rig.gateway.handle("session.abort", { sessionID, keepQueue: true });
    await rig.until("the next turn ran", () => rig.texts(sessionID).includes("Hello there."));
    await rig.idle(sessionID);
    const finishes = rig.store
      .messages(sessionID, { limit: 10 })
      .flatMap(({ info }) => ("finish" in info ? [info.finish] : []));
    expect(finishes).toEqual(["aborted", "stop"]);
    expect(rig.starts.length + rig.agentLog.filter((entry) => "start" in entry).length).toBe(1);
  });

  test("prompts that wait run one by one, in their order", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "shell");
    const block = await rig.block(sessionID);
    for (const word of ["ids", "think"]) await rig.prompt(sessionID, word);
    expect(rig.session(sessionID).queue).toHaveLength(2);
    await rig.reply(block.id, { decision: "once" });
    await rig.until("all have run", () => rig.texts(sessionID).includes("Seen."));
    await rig.idle(sessionID);
    expect(rig.texts(sessionID)).toEqual(["first message", "second", "Seen."]);
  });

  test("an abort answers what waits", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "shell");
    await rig.block(sessionID);
    await rig.gateway.handle("session.abort", { sessionID });
    expect(rig.latest("answer")).toEqual({ outcome: { outcome: "cancelled" } });
    expect(rig.tools(sessionID)[0]?.state).toMatchObject({ status: "error", block: { decision: "reject" } });
    expect(rig.last(sessionID)).toMatchObject({ finish: "aborted" });
  });

  test("an agent that dies ends its turn; the next prompt goes on with its session", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.run("say");
    await rig.run("think die", sessionID);
    expect(rig.last(sessionID)).toMatchObject({ finish: "error", error: { name: "agent_exited" } });
    await rig.run("say", sessionID);
    expect(rig.latest("resume")).toBe("sdk-1");
    expect(rig.last(sessionID)).toMatchObject({ finish: "stop" });
  });

  test("an agent that can only load tells the history again, and nothing of it is doubled", async () => {
    const rig = new SdkRig(["--load"]);
    const sessionID = await rig.run("say");
    await rig.run("die", sessionID);
    const before = rig.parts(sessionID).length;
    await rig.run("say", sessionID);
    expect(rig.latest("load")).toBe("sdk-1");
    expect(rig.texts(sessionID)).toEqual(["Hello there.", "Hello there."]);
    expect(rig.parts(sessionID).length).toBeGreaterThan(before);
    expect(rig.texts(sessionID)).not.toContain("(an old answer)");
  });

  test("a history that the agent cannot take up is told first; then it begins anew", async () => {
    const rig = new SdkRig(["--no-load"]);
    const sessionID = await rig.run("say");
    await rig.run("die", sessionID);
    await rig.run("say", sessionID);
    expect(rig.last(sessionID)).toMatchObject({ finish: "error", error: { name: "invalid_request" } });
    await rig.run("say", sessionID);
    expect(rig.last(sessionID)).toMatchObject({ finish: "stop" });
    expect(rig.native(sessionID)).toMatchObject({ sessionID: "sdk-2" });
  });

  test("a fork goes on from a copy of the agent's session", async () => {
    const rig = new SdkRig();
    const sessionID = await rig.run("say");
    const { session } = await rig.gateway.handle("session.fork", { sessionID });
    await rig.run("think", session.id);
    expect(rig.latest("fork")).toBe("sdk-1");
    expect(rig.texts(session.id)).toEqual(["Hello there.", "Seen."]);
    expect(rig.native(session.id)).toMatchObject({ sessionID: "fork-of-sdk-1" });
  });

  test("the end of the gateway ends the agent, and rejects what waits", async () => {
    const folder = createFolder();
    const rig = new SdkRig([], folder);
    const sessionID = await rig.create();
    await rig.prompt(sessionID, "shell");
    await rig.block(sessionID);
    const pid = Number(rig.latest("start"));
    await rig.gateway.close();
    expect(isRunning(pid)).toBe(false);
    expect(rig.tools(sessionID)[0]?.state).toMatchObject({ status: "error", block: { decidedBy: "shutdown" } });
  });
});
