import { expect, test } from "vitest";
import { Lineage, type Link } from "../../../../adapters/claude/transcript/lineage.js";

const prompt = (uuid: string, parent?: string): Link => ({ uuid, parent, kind: "prompt" });
const answer = (uuid: string, parent: string, responseID = uuid): Link => ({
  uuid,
  parent,
  kind: "answer",
  responseID,
});
const other = (uuid: string, parent: string): Link => ({ uuid, parent, kind: "other" });

function placed(...links: Link[]) {
  const lineage = new Lineage();
  const places = links.map((link) => lineage.place(link));
  const live = links.flatMap(({ uuid }, i) => {
    const place = places[i];
    return place && lineage.isLive(place) ? [uuid] : [];
  });
  return { lineage, places, live };
}

test("one line after the other is one branch, and all of it lives", () => {
  const { lineage, live } = placed(prompt("p1"), answer("a1", "p1"), prompt("p2", "a1"), answer("a2", "p2"));
  expect(lineage.branches).toBe(1);
  expect(live).toEqual(["p1", "a1", "p2", "a2"]);
});

test("results of parallel calls hang each on its own block and begin no branch", () => {
  const { lineage } = placed(
    prompt("p1"),
    answer("b1", "p1", "m1"),
    answer("b2", "b1", "m1"),
    other("r2", "b2"),
    other("r1", "b1"),
    answer("b3", "r1", "m2"),
    prompt("p2", "b3"),
  );
  expect(lineage.branches).toBe(1);
});

test("a prompt that hangs on an earlier answer leaves what came after that behind", () => {
  const { lineage, live } = placed(
    prompt("p1"),
    answer("a1", "p1"),
    prompt("p2", "a1"),
    answer("a2", "p2"),
    prompt("p3", "a1"),
    answer("a3", "p3"),
  );
  expect(lineage.branches).toBe(2);
  expect(live).toEqual(["p1", "a1", "p3", "a3"]);
});

test("of two processes that write one file, the branch that was written last lives", () => {
  const links = [prompt("p1"), answer("a1", "p1"), prompt("x", "a1"), prompt("y", "a1"), answer("ax", "x")];
  expect(placed(...links).live).toEqual(["p1", "a1", "x", "ax"]);
  expect(placed(...links, answer("ay", "y")).live).toEqual(["p1", "a1", "y", "ay"]);
});

test("a branch of a branch ends where each of them began", () => {
  const { live } = placed(
    prompt("p1"),
    prompt("p2", "p1"),
    prompt("p3", "p2"),
    prompt("q3", "p2"),
    prompt("q4", "q3"),
    prompt("r4", "q3"),
  );
  expect(live).toEqual(["p1", "p2", "q3", "r4"]);
});

test("a line that is there already is not placed again", () => {
  const { places } = placed(prompt("p1"), answer("a1", "p1"), prompt("p1"), answer("a1", "p1"));
  expect(places.slice(2)).toEqual([undefined, undefined]);
});

test("a line whose parent is nowhere goes on where the last one stood", () => {
  const { lineage, live } = placed(prompt("p1"), answer("a1", "lost"), prompt("p2", "lost too"));
  expect(lineage.branches).toBe(1);
  expect(live).toEqual(["p1", "a1", "p2"]);
});
