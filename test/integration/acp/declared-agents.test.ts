import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { WireEvent } from "../../../schemas/index.js";
import { readAgents } from "../../../src/cli/read-agents.js";
import { AgentPrograms } from "../../../src/session/agent-programs.js";
import { agentwire } from "../cli/agentwire.js";
import { createFolder, readLog, SDK_AGENT } from "./sdk-rig.js";

function declare(agents: unknown): string {
  const path = join(createFolder(), "agents.json");
  writeFileSync(path, JSON.stringify(agents));
  return path;
}

const mycli = (folder: string, env = {}) => ({
  protocol: "acp",
  command: [process.execPath, SDK_AGENT, folder, "--load"],
  name: "My CLI",
  env,
});

function texts(lines: readonly unknown[]): string[] {
  return (lines as WireEvent[]).flatMap((event) =>
    event.type === "message.part.updated" && event.properties.part.type === "text" && event.properties.part.time?.end
      ? [event.properties.part.text]
      : [],
  );
}

describe("an agent that is declared by one entry of a file", () => {
  test("runs like any other, with its arguments and environment", async () => {
    const folder = createFolder();
    const file = declare({ agents: { mycli: mycli(folder, { MY_SETTING: "on" }) } });
    const { code, lines, err } = await agentwire([
      "run",
      "mycli",
      "shell say",
      "--json",
      "--on-ask",
      "once",
      "--agents",
      file,
    ]);
    expect(err).toBe("");
    expect(code).toBe(0);
    expect(texts(lines)).toEqual(["Hello there."]);
    expect(readLog(folder)[0]).toMatchObject({ options: ["--load"], env: "on" });
  });

  test("is listed beside the others", async () => {
    const { out } = await agentwire(["agents", "--agents", declare({ agents: { mycli: mycli("/nowhere") } })], {
      cwd: createFolder(),
      env: { PATH: "" },
    });
    expect(out).toMatch(/^mycli +My CLI +unknown version at /m);
    expect(out).toMatch(/^claude /m);
  });

  test("is no agent without the file", async () => {
    const { code, err } = await agentwire(["run", "mycli", "hello"]);
    expect(err).toContain('there is no agent "mycli"');
    expect(code).toBe(3);
  });

  test.each([
    ["no protocol", { agents: { mycli: { command: ["x"] } } }, "agents.mycli.protocol"],
    ["another protocol", { agents: { mycli: { protocol: "smoke", command: ["x"] } } }, "agents.mycli.protocol"],
    ["no command", { agents: { mycli: { protocol: "acp" } } }, "agents.mycli.command"],
    ["an empty command", { agents: { mycli: { protocol: "acp", command: [] } } }, "agents.mycli.command"],
    [
      "a command that is one text",
      { agents: { mycli: { protocol: "acp", command: "x --y" } } },
      "agents.mycli.command",
    ],
    ["an unknown field", { agents: { mycli: { protocol: "acp", command: ["x"], cwd: "/" } } }, "agents.mycli"],
    ["a variable that is no text", { agents: { mycli: { protocol: "acp", command: ["x"], env: { A: 1 } } } }, "env.A"],
    ["the name of a known agent", { agents: { claude: { protocol: "acp", command: ["x"] } } }, "already"],
    ["a name with a space", { agents: { "my cli": { protocol: "acp", command: ["x"] } } }, "small letters"],
    ["no agents", {}, "agents"],
  ])("with %s is refused by its place", (_what, content, place) => {
    expect(() => readAgents(declare(content))).toThrow(place);
  });

  test("in a file that is missing or no JSON is refused by its name", () => {
    expect(() => readAgents("/nowhere/agents.json")).toThrow("/nowhere/agents.json");
    const path = join(createFolder(), "agents.json");
    writeFileSync(path, "{");
    expect(() => readAgents(path)).toThrow(path);
  });

  test("that cannot be started says so on its turn", async () => {
    const file = declare({ agents: { mycli: { protocol: "acp", command: ["/nowhere/mycli"] } } });
    const { code, err, lines } = await agentwire(["run", "mycli", "hello", "--json", "--agents", file]);
    expect(code).toBe(7);
    expect(err + JSON.stringify(lines)).toContain("/nowhere/mycli");
  });
});

describe("a program named behind --", () => {
  test("is the agent's, with all that stands behind it", async () => {
    const folder = createFolder();
    const args = ["run", "acp", "say", "--json", "--", process.execPath, SDK_AGENT, folder, "--json", "--load"];
    const { code, lines } = await agentwire(args);
    expect(code).toBe(0);
    expect(texts(lines)).toEqual(["Hello there."]);
    expect(readLog(folder)[0]).toMatchObject({ options: ["--json", "--load"] });
  });

  test("must be named", async () => {
    expect(await agentwire(["run", "acp", "say", "--"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("behind --"),
    });
  });
});

test("an agent without a program of its own asks for one", () => {
  const hint = (work: () => unknown) => {
    try {
      return work();
    } catch (error) {
      return (error as { detail?: { hint?: string } }).detail?.hint;
    }
  };
  expect(hint(() => new AgentPrograms({ env: {} }).require("acp"))).toContain("--program acp=PATH");
});
