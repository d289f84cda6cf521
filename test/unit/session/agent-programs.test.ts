import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ADAPTERS } from "../../../adapters/index.js";
import { GatewayError } from "../../../src/gateway-error.js";
import { AgentPrograms, adapterOf } from "../../../src/session/agent-programs.js";

const { claude } = ADAPTERS;
const native = claude?.program.packages[`${process.platform}-${process.arch}`];
let base = "";

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "agentwire-programs-"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function addFile(mode: number, ...names: string[]): string {
  const path = join(base, ...names);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
  chmodSync(path, mode);
  return path;
}

const addProgram = (...names: string[]) => addFile(0o755, ...names);
const pathOf = (...folders: string[]) => ({
  PATH: folders.map((folder) => folder && join(base, folder)).join(delimiter),
});

describe("an agent's program is found", () => {
  test("where it is overridden, before everywhere else", () => {
    addProgram("bin", "claude");
    const override = { command: "node", args: ["agent.mjs"] };
    const programs = new AgentPrograms({ overrides: { claude: override }, env: pathOf("bin") });
    expect(programs.find("claude")).toBe(override);
  });

  test("on PATH, in its order, before the installed agents", () => {
    addProgram("second", "claude");
    const first = addProgram("first", "claude");
    if (native) addProgram("agents", "x", "node_modules", native.name, native.file);
    const programs = new AgentPrograms({ env: pathOf("empty", "first", "second"), agentsDir: join(base, "agents") });
    expect(programs.find("claude")).toEqual({ command: first, args: [] });
  });

  test.runIf(native)("among the installed agents, the newest folder first", () => {
    const file = (folder: string) => ["agents", folder, "node_modules", native?.name ?? "", native?.file ?? ""];
    addProgram(...file("claude-code@2.1.1"));
    const newest = addProgram(...file("claude-code@2.1.9"));
    mkdirSync(join(base, "agents", "other@9"));
    expect(new AgentPrograms({ env: {}, agentsDir: join(base, "agents") }).find("claude")?.command).toBe(newest);
  });

  test.runIf(native)("among the installed agents, 2.1.10 after 2.1.9", () => {
    const file = (folder: string) => ["agents", folder, "node_modules", native?.name ?? "", native?.file ?? ""];
    addProgram(...file("claude-code@2.1.9"));
    const newest = addProgram(...file("claude-code@2.1.10"));
    expect(new AgentPrograms({ env: {}, agentsDir: join(base, "agents") }).find("claude")?.command).toBe(newest);
  });

  test.skipIf(process.platform === "win32")("only where it can be run: not a folder, not a file without leave", () => {
    addFile(0o644, "plain", "claude");
    mkdirSync(join(base, "folder", "claude"), { recursive: true });
    const program = addProgram("good", "claude");
    expect(new AgentPrograms({ env: pathOf("plain", "folder", "good") }).find("claude")?.command).toBe(program);
  });
});

describe("an agent's program that is not there", () => {
  test.each([
    ["an empty PATH", { PATH: "" }],
    ["no PATH", {}],
    ["a PATH with holes", pathOf("", "nowhere", "")],
  ])("is undefined with %s", (_, env) => {
    expect(new AgentPrograms({ env, agentsDir: join(base, "nowhere") }).find("claude")).toBeUndefined();
  });

  test("is refused with what to do about it", () => {
    const require = () => new AgentPrograms({ env: {} }).require("claude");
    expect(require).toThrow(GatewayError);
    expect(require).toThrow(/"claude" on PATH/);
    expect(require).toThrow(
      expect.objectContaining({
        kind: "agent_unavailable",
        detail: { hint: expect.stringContaining(claude?.testedVersion ?? "?") },
      }),
    );
  });
});

test.each(["nobody", "constructor", "__proto__", ""])("there is no agent %j; those there are, are named", (agent) => {
  expect(() => adapterOf(agent)).toThrow(
    expect.objectContaining({ kind: "not_found", detail: { field: "agent", hint: expect.stringContaining("claude") } }),
  );
  expect(() => new AgentPrograms({ env: {} }).find(agent)).toThrow(GatewayError);
});
