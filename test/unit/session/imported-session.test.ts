import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Gateway } from "../../../src/session/gateway.js";
import { openStore } from "../../../src/store/open-store.js";
import { native } from "../adapters/claude/native.js";
import { exportAll, importAll } from "../store/transfer.js";
import { Bench, PlayedHost } from "./bench.js";

let bench: Bench;
let sessionID: string;
let source: string;

const prompt = (gateway: Gateway, text: string) =>
  gateway.handle("session.prompt", { sessionID, parts: [{ type: "text", text }] });

/** A gateway that was left in the middle of a turn, while a tool waited. */
beforeEach(async () => {
  bench = new Bench();
  source = join(bench.folder, "source.db");
  const store = openStore({ path: source });
  const gateway = new Gateway({ ...bench.options, store });
  ({ id: sessionID } = (await gateway.handle("session.create", { agent: "claude", directory: bench.folder })).session);
  await prompt(gateway, "first");
  await bench.agent.answer("n1");
  await prompt(gateway, "second");
  await bench.agent.say(native.whole("m2", native.call("t1", "Bash", { command: "ls" })));
  gateway.leave();
  store.close();
});
afterEach(() => bench.dispose());

test.each([
  ["another machine's", () => new PlayedHost()],
  ["the very host that ran its agent", () => bench.host],
])(
  "a session that is imported is closed by a gateway with %s, and goes on with its conversation",
  async (_, hostOf) => {
    const target = join(bench.folder, "target.db");
    importAll(target, exportAll(source));
    const store = openStore({ path: target });
    const host = hostOf();
    const gateway = new Gateway({ ...bench.options, store, host });
    try {
      const { session } = await gateway.handle("session.get", { sessionID });
      expect(session.status).toEqual({ type: "idle" });
      const { messages } = await gateway.handle("session.messages", { sessionID });
      const tools = messages.flatMap(({ parts }) => parts.filter(({ type }) => type === "tool"));
      expect(tools).toMatchObject([{ state: { status: "error" } }]);
      expect(messages.at(-1)?.info).toMatchObject({ role: "assistant", time: { completed: expect.any(Number) } });
      expect(await prompt(gateway, "third")).toMatchObject({ queued: false });
      expect(host.agents.at(-1)?.spec.args).toEqual(expect.arrayContaining(["--resume", "n1"]));
    } finally {
      await gateway.close();
      store.close();
    }
  },
);
