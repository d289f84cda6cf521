import { expect, test } from "vitest";
import type { PermissionBlock } from "../../../schemas/index.js";
import { BlockAnswerer, type OnAsk } from "../../../src/cli/answer-blocks.js";
import type { Gateway } from "../../../src/session/gateway.js";

const block = (change: Partial<PermissionBlock> = {}): PermissionBlock => ({
  type: "permission",
  id: "per_1",
  permission: "bash",
  patterns: ["ls"],
  always: ["ls"],
  metadata: {},
  ...change,
});

async function answerTo(onAsk: OnAsk, asked: PermissionBlock): Promise<unknown> {
  return new Promise((resolve) => {
    const reply = (params: unknown) => {
      resolve(params);
      return {};
    };
    new BlockAnswerer({ reply } as unknown as Gateway, onAsk).onBlocked(asked);
  });
}

const several = block({ always: [], decisions: ["reject"] });

test.each([
  ["once", block(), { decision: "once" }],
  ["always", block(), { decision: "always" }],
  ["always", block({ always: [] }), { decision: "once" }],
  ["reject", several, { decision: "reject" }],
  ["once", several, { decision: "reject", message: expect.stringContaining("several ways") }],
  ["always", several, { decision: "reject", message: expect.stringContaining("several ways") }],
] as const)("a fixed answer %s to what may be decided so, and no other", async (onAsk, asked, reply) => {
  expect(await answerTo(onAsk, asked)).toEqual({ blockID: "per_1", ...reply });
});
