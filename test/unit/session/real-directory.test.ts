import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { GatewayError } from "../../../src/gateway-error.js";
import { realDirectory } from "../../../src/session/real-directory.js";

let base = "";
const at = (...names: string[]) => join(base, ...names);

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-roots-")));
  for (const folder of ["root", "root/project", "root/..odd", "rootless", "outside"]) mkdirSync(at(folder));
  writeFileSync(at("root", "file"), "");
  symlinkSync(at("outside"), at("root", "escape"));
  symlinkSync(at("root", "project"), at("shortcut"));
  symlinkSync(at("nowhere"), at("dangling"));
  symlinkSync(at("root"), at("root-link"));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

function refusal(directory: string, roots: string[] = []): { kind: string; field: string | undefined } {
  try {
    realDirectory(directory, roots);
  } catch (error) {
    const { kind, detail } = error as GatewayError;
    return { kind, field: detail.field };
  }
  throw new Error("the directory was taken");
}

describe("without roots", () => {
  test("any directory will do, by its real path", () => {
    expect(realDirectory(at("shortcut"), [])).toBe(at("root", "project"));
    expect(realDirectory(at("root", "project", "..", "project/"), [])).toBe(at("root", "project"));
  });

  test.each([
    ["a relative path", () => "project"],
    ["nothing", () => ""],
    ["a path that is not there", () => at("missing")],
    ["a file", () => at("root", "file")],
    ["a path below a file", () => at("root", "file", "below")],
    ["a link to nowhere", () => at("dangling")],
  ])("%s is refused, naming the field", (_, directory) => {
    expect(refusal(directory())).toEqual({ kind: "invalid_params", field: "directory" });
  });
});

describe("with roots", () => {
  test.each([
    ["a root itself", ["root"]],
    ["what is below", ["root", "project"]],
    ["a folder whose name begins with two dots", ["root", "..odd"]],
    ["a link that leads in", ["shortcut"]],
  ])("%s is inside", (_, names) => {
    expect(realDirectory(at(...names), [at("outside"), at("root")])).toMatch(/root/);
  });

  test.each([
    ["another folder", ["outside"]],
    ["one whose name only begins like the root", ["rootless"]],
    ["a link that leads out", ["root", "escape"]],
    ["a way up", ["root", "..", "outside"]],
    ["the root's parent", []],
  ])("%s is outside", (_, names) => {
    expect(refusal(at(...names), [at("root")])).toEqual({ kind: "forbidden", field: "directory" });
  });

  test("a root may be a link itself", () => {
    expect(realDirectory(at("root", "project"), [at("root-link")])).toBe(at("root", "project"));
  });

  test("a root that is not there lets nobody in, and is no trouble for the others", () => {
    expect(realDirectory(at("root"), [at("missing"), at("root")])).toBe(at("root"));
    expect(refusal(at("root"), [at("missing")])).toEqual({ kind: "forbidden", field: "directory" });
  });
});
