import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ADAPTERS } from "../../adapters/index.js";
import { ACP_AGENTS } from "../live/acp/acp-agents.js";
import { REQUIREMENTS, SHOWN_BY_TESTS, WAIVERS } from "../requirements.js";
import { acpHoles, renderAcpTable } from "./acp-table.js";
import { FAMILIES, holes, isOwed, renderMatrix, TRACES, tracesFor } from "./matrix.js";

const ids = REQUIREMENTS.map(({ id }) => id);

describe("the list of requirements", () => {
  test("names each promise once", () => {
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
  });

  test("is shown in full: a trace, a test or a reasoned waiver for each adapter that owes it", () => {
    expect(holes()).toEqual([]);
  });

  test("is the only place traces take their claims from", () => {
    const claims = TRACES.flatMap((trace) => trace.requirements.map((id) => `${trace.name}: ${id}`));
    expect(claims.filter((claim) => !ids.includes(claim.split(": ")[1] ?? ""))).toEqual([]);
  });

  test("claims no trace of an adapter that does not owe the promise", () => {
    const undeclared = REQUIREMENTS.flatMap((requirement) =>
      FAMILIES.filter(
        (adapter) => !isOwed(requirement, adapter) && tracesFor(requirement.id, adapter.id).length > 0,
      ).map((adapter) => `${adapter.id} shows ${requirement.id} without declaring the capability`),
    );
    expect(undeclared).toEqual([]);
  });

  test("names tests that exist", () => {
    const missing = REQUIREMENTS.filter(({ test: file }) => file !== undefined && !existsSync(file));
    expect(missing).toEqual([]);
    const unknown = SHOWN_BY_TESTS.filter(
      ({ requirement, test: file }) => !ids.includes(requirement) || !existsSync(file),
    );
    expect(unknown).toEqual([]);
  });

  test("has no waiver that is not needed", () => {
    const stale = WAIVERS.filter(
      ({ requirement, adapter }) =>
        !ids.includes(requirement) || !ADAPTERS[adapter] || tracesFor(requirement, adapter).length > 0,
    );
    expect(stale).toEqual([]);
  });
});

describe("the ACP agents", () => {
  test("show what each is to show, or say what they do instead", () => {
    expect(acpHoles()).toEqual([]);
  });

  test("lack nothing that they show", () => {
    const shown = (id: string) => TRACES.filter(({ adapter }) => adapter === id).flatMap((trace) => trace.requirements);
    const stale = ACP_AGENTS.flatMap(({ id, lacks }) =>
      Object.keys(lacks)
        .filter((requirement) => !ids.includes(requirement) || shown(id).includes(requirement))
        .map((requirement) => `${id}: ${requirement}`),
    );
    expect(stale).toEqual([]);
  });

  test("have at least eight golden traces each", () => {
    const few = ACP_AGENTS.filter(({ id }) => TRACES.filter(({ adapter }) => adapter === id).length < 8);
    expect(few.map(({ id }) => id)).toEqual([]);
  });
});

test("the README's matrix is the one that the traces give (npm run matrix)", () => {
  expect(readFileSync("README.md", "utf8")).toContain(renderMatrix());
});

test("the README's table of the ACP agents is the one that the traces give (npm run matrix)", () => {
  expect(readFileSync("README.md", "utf8")).toContain(renderAcpTable());
});
