import { expect, test, vi } from "vitest";
import type { Block, PermissionBlock } from "../../../schemas/index.js";
import { BlockAnswerer } from "../../../src/cli/answer-blocks.js";
import type { Gateway } from "../../../src/session/gateway.js";
import { permission, question } from "../adapters/shared/draft.js";

const CALL: Block = { type: "call", id: "cal_a", name: "weather", input: {} };
/** An agent with several options that mean the same. */
const SEVERAL: PermissionBlock = { ...permission("a"), decisions: ["reject"] };
const MUST_CHOOSE = { decision: "reject", message: expect.stringContaining("several ways") };

test.each([
  ["a permission by what was chosen", permission("a"), "once", { decision: "once" }],
  ["always where it is offered", permission("a", ["ls *"]), "always", { decision: "always" }],
  ["always where it is not offered as once", permission("a"), "always", { decision: "once" }],
  ["a rejection where there are several options", SEVERAL, "reject", { decision: "reject" }],
  ["once where there are several ways to do it", SEVERAL, "once", MUST_CHOOSE],
  ["always where there are several ways to do it", SEVERAL, "always", MUST_CHOOSE],
  ["a question by leaving it", question("q", "Which?"), "once", { decision: "reject" }],
  ["a call of a client that is not here", CALL, "once", { error: expect.stringContaining("not here") }],
  ["such a call without asking a person", CALL, "ask", { error: expect.stringContaining("not here") }],
] as const)("answers %s", async (_, block, onAsk, reply) => {
  const replied = vi.fn();
  new BlockAnswerer({ reply: replied } as unknown as Gateway, onAsk).onBlocked(block as Block);
  await vi.waitFor(() => expect(replied).toHaveBeenCalledWith({ blockID: block.id, ...reply }, "user"));
});
