import { describe, expect, test } from "vitest";
import { launch } from "../../../../adapters/claude/launch.js";
import { MODES } from "../../../../adapters/claude/modes.js";
import { LaunchRefused } from "../../../../adapters/contract.js";
import { Mode } from "../../../../schemas/index.js";

const OPTIONS = { directory: "/work", mode: "default", env: {}, uid: 1000 } as const;

function flagValue(args: readonly string[], flag: string): string | undefined {
  return args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined;
}

function refusal(options: Parameters<typeof launch>[0]): LaunchRefused {
  try {
    launch(options);
  } catch (error) {
    if (error instanceof LaunchRefused) return error;
    throw error;
  }
  throw new Error("the launch was not refused");
}

describe("modes", () => {
  const supported = Mode.options.filter((mode) => MODES[mode].fidelity !== "unsupported");

  test.each(supported)("%s is always named to the CLI", (mode) => {
    expect(flagValue(launch({ ...OPTIONS, mode }).args, "--permission-mode")).toBe(MODES[mode].native);
    expect(MODES[mode].native).not.toBe("");
  });

  test("a mode without an equal is refused, naming those there are", () => {
    const refused = refusal({ ...OPTIONS, mode: "safe-yolo" });
    expect(refused.field).toBe("mode");
    for (const mode of supported) expect(refused.message).toContain(mode);
  });

  test("read-only takes away every tool that writes or runs commands; no other mode takes any", () => {
    const taken = flagValue(launch({ ...OPTIONS, mode: "read-only" }).args, "--disallowedTools")?.split(",");
    expect(taken?.sort()).toEqual(["Bash", "Edit", "MultiEdit", "NotebookEdit", "Write"]);
    for (const mode of supported.filter((other) => other !== "read-only")) {
      expect(launch({ ...OPTIONS, mode }).args).not.toContain("--disallowedTools");
    }
  });

  test.each(["bypassPermissions", "yolo"] as const)("%s as root is refused before the CLI would", (mode) => {
    const refused = refusal({ ...OPTIONS, mode, uid: 0 });
    expect(refused).toMatchObject({ field: "mode" });
    expect(refused.message).toContain("IS_SANDBOX=1");
    expect(() => launch({ ...OPTIONS, mode, uid: 0, env: { IS_SANDBOX: "0" } })).toThrow(LaunchRefused);
  });

  test.each(["bypassPermissions", "yolo"] as const)("%s is for other users, and for root in a sandbox", (mode) => {
    expect(launch({ ...OPTIONS, mode }).args).toContain("bypassPermissions");
    expect(launch({ ...OPTIONS, mode, uid: 0, env: { IS_SANDBOX: "1" } }).args).toContain("bypassPermissions");
    const { uid: _, ...withoutUsers } = OPTIONS;
    expect(launch({ ...withoutUsers, mode }).args).toContain("bypassPermissions");
  });

  test("root may use every other mode", () => {
    for (const mode of supported.filter((other) => MODES[other].native !== "bypassPermissions")) {
      expect(() => launch({ ...OPTIONS, mode, uid: 0 })).not.toThrow();
    }
  });
});

test("stream-json both ways, with what it needs", () => {
  const { args } = launch(OPTIONS);
  expect(args[0]).toBe("-p");
  expect(args).toEqual(expect.arrayContaining(["--verbose", "--include-partial-messages"]));
  expect(flagValue(args, "--input-format")).toBe("stream-json");
  expect(flagValue(args, "--output-format")).toBe("stream-json");
  expect(flagValue(args, "--permission-prompt-tool")).toBe("stdio");
});

test("model and resume are there when they are known, and only then", () => {
  const { args } = launch({ ...OPTIONS, model: "m", spawn: { resume: "id" } });
  expect([flagValue(args, "--model"), flagValue(args, "--resume")]).toEqual(["m", "id"]);
  expect(launch(OPTIONS).args).not.toEqual(expect.arrayContaining(["--model"]));
  expect(launch(OPTIONS).args).not.toEqual(expect.arrayContaining(["--resume"]));
});

test("variables of a Claude Code around the gateway are not handed down", () => {
  const { env } = launch(OPTIONS);
  expect(env).toHaveProperty("CLAUDECODE", undefined);
  expect(env).toHaveProperty("CLAUDE_CODE_ENTRYPOINT", undefined);
  expect(Object.values(env).every((value) => value === undefined)).toBe(true);
});
