import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Gateway } from "../../../src/session/gateway.js";
import { whenEvent } from "../../../src/session/when-event.js";
import { native } from "../adapters/claude/native.js";
import { Bench } from "./bench.js";

let bench: Bench;
let gateway: Gateway;

beforeEach(() => {
  bench = new Bench();
  gateway = new Gateway(bench.options);
});
afterEach(async () => {
  await gateway.close();
  bench.dispose();
});

test("a turn that ends while a file is read ends with what is in it", async () => {
  const persistedOutputPath = join(bench.folder, "output.txt");
  writeFileSync(persistedOutputPath, "all of it");
  const { session } = await gateway.handle("session.create", { agent: "claude", directory: bench.folder });
  await gateway.handle("session.prompt", { sessionID: session.id, parts: [{ type: "text", text: "go" }] });
  const live = gateway.live(session.id);
  if (!live) throw new Error("the session is not at work");
  const { happened } = whenEvent(live, ({ type, properties }) => {
    return type === "session.status" && properties.status.type === "idle";
  });
  await bench.agent.say(
    native.init(),
    native.whole("api_1", native.call("t1", "Bash", { command: "cat big" }), { stop_reason: "tool_use" }),
    native.toolResult("t1", "a preview", {}, { tool_use_result: { stdout: "a preview", persistedOutputPath } }),
    native.whole("api_2", { type: "text", text: "done" }, { stop_reason: "end_turn" }),
    native.result(),
  );
  await happened;
  const parts = bench.store.messages(session.id, { limit: 10 }).flatMap((message) => message.parts);
  const [tool] = parts.filter((part) => part.type === "tool");
  expect(tool?.state).toMatchObject({ status: "completed", output: "all of it" });
});
