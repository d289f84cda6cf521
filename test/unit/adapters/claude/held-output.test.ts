import { describe, expect, test } from "vitest";
import { childOf, subagent, working } from "./children.js";
import { type Json, native } from "./native.js";
import { type Story, withCall } from "./story.js";

const SESSION = "00000000-0000-4000-8000-000000000001";
const PATH = `/home/me/.claude/projects/-work/${SESSION}/tool-results/x1.txt`;
const note = (path = PATH) =>
  `<persisted-output>\nOutput too large (42.9KB). Full output saved to: ${path}\n\nPreview (first 2KB):\n1\n2\n...\n</persisted-output>`;
const STRUCTURED = { stdout: "1\n2", persistedOutputPath: PATH, persistedOutputSize: 43_897 };

const saved = (line: Json = { tool_use_result: STRUCTURED }) => native.toolResult("t1", note(), {}, line);
const running = () => withCall("t1", "Bash", { command: "seq 9000" });
const reads = (story: Story) => story.effects.filter((effect) => effect.kind === "read");

describe("an output that is too large for the model", () => {
  test("is read from its file, and the tool completes with the whole", () => {
    const story = running().lines(saved());
    expect(reads(story)).toEqual([{ kind: "read", token: "output:t1", path: PATH, maxBytes: 8 * 1024 * 1024 }]);
    expect(story.tool("t1").status).toBe("running");
    story.file("1\n2\n3\n");
    expect(story.tool("t1")).toMatchObject({ status: "completed", output: "1\n2\n3\n" });
    expect(story.tool("t1")).not.toHaveProperty("metadata.truncated");
    story.lines(native.result()).expectLawful();
  });

  test("stays the preview where its file cannot be read, and says so", () => {
    const story = running().lines(saved()).file(null);
    expect(story.tool("t1")).toMatchObject({
      status: "completed",
      output: note(),
      metadata: { truncated: true, outputPath: PATH, outputBytes: 43_897 },
    });
    story.lines(native.result()).expectLawful();
  });

  test("is not told twice, and other tools go on meanwhile", () => {
    const story = running().lines(
      native.whole("m2", native.call("t2", "Bash", {})),
      saved(),
      saved(),
      native.toolResult("t2", "done"),
    );
    expect(story.tool("t2").status).toBe("completed");
    expect(story.outputs.filter((output) => output.kind === "read")).toHaveLength(1);
    expect(story.file("all").tool("t1")).toMatchObject({ output: "all" });
    story.lines(native.result()).expectLawful();
  });

  test.each([
    ["the turn's end", (story: Story) => story.lines(native.result())],
    ["an abort", (story: Story) => story.abort().lines(native.aborted("tools"))],
    ["a crash", (story: Story) => story.exit({ signal: "SIGKILL" })],
    ["a shutdown", (story: Story) => story.exit({ lost: true })],
  ])("that is not read by %s stays the preview; the file comes too late", (_, end) => {
    const story = end(running().lines(saved()));
    const state = story.tool("t1");
    expect(state).toMatchObject({ status: "completed", output: note(), metadata: { truncated: true } });
    expect(story.file("all").tool("t1")).toBe(state);
    expect(story.session.status).toEqual({ type: "idle" });
    story.expectLawful();
  });

  test("keeps its verdict, and the images beside it", () => {
    const source = { type: "base64", media_type: "image/png", data: "AA==" };
    const content = [
      { type: "text", text: note() },
      { type: "image", source },
    ];
    const verdict = { decision: "accept", source: "config" };
    const line = { tool_use_result: STRUCTURED, tool_result_meta: [{ id: "t1", permission_decision: verdict }] };
    const story = running()
      .lines(native.toolResult("t1", content, {}, line))
      .file("all");
    expect(story.tool("t1")).toMatchObject({
      output: "all",
      metadata: { native: { permission: verdict } },
      attachments: [{ mime: "image/png" }],
    });
  });

  test("of a call that is closed is not read", () => {
    expect(reads(running().lines(native.toolResult("t1", "done"), saved()))).toEqual([]);
  });
});

describe("where only the text tells the file", () => {
  test("of a subagent's tool, it is read", () => {
    const story = working().lines(
      subagent.line(native.whole("m2", native.call("s1", "Bash", {})), "t1", "a1"),
      subagent.line(native.toolResult("s1", note()), "t1", "a1"),
    );
    expect(childOf(story).tools).toMatchObject([{ state: { status: "running" } }]);
    story.file("all");
    expect(childOf(story).tools).toMatchObject([{ state: { status: "completed", output: "all" } }]);
    story.exit().expectLawful();
  });

  test("a subagent that ends before keeps the preview", () => {
    const story = working().lines(
      subagent.line(native.whole("m2", native.call("s1", "Bash", {})), "t1", "a1"),
      subagent.line(native.toolResult("s1", note()), "t1", "a1"),
      subagent.ended("a1"),
    );
    expect(childOf(story).tools).toMatchObject([{ state: { status: "completed", metadata: { truncated: true } } }]);
    story.file("all").exit().expectLawful();
  });

  test("of a tool of a server, it is read", () => {
    const text = `Error: result (180,000 characters across 12,000 lines) exceeds maximum allowed tokens. Output has been saved to ${PATH}.\nFormat: Plain text`;
    const story = withCall("t1", "mcp__demo__big", {}).lines(native.toolResult("t1", text)).file("all");
    expect(story.tool("t1")).toMatchObject({ status: "completed", output: "all" });
  });

  test.each([
    ["of another folder", "/home/me/.ssh/id_rsa"],
    ["of another session", PATH.replace(SESSION, "00000000-0000-4000-8000-000000000002")],
    ["that leads elsewhere", `/home/me/../you/${SESSION}/tool-results/x1.txt`],
    ["below it", PATH.replace("x1.txt", "a/x1.txt")],
  ])("a file %s is not believed: a command can print anything", (_, path) => {
    const story = running().lines(native.toolResult("t1", note(path)));
    expect(reads(story)).toEqual([]);
    expect(story.tool("t1")).toMatchObject({ status: "completed", output: note(path) });
  });
});
