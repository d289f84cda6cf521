import { describe, expect, test } from "vitest";
import { type Json, native } from "./native.js";
import { Story } from "./story.js";

const ask = (id: string) => native.ask(`ask_${id}`, id, "Bash", { command: id });
const call = (id: string) => native.whole(`m_${id}`, native.call(id, "Bash", { command: id }));
const asked = (id: string): Json[] => [call(id), ask(id)];

/** A turn in which these wait, and to which another gateway has come back. */
function reattached(...ids: string[]): Story {
  return new Story()
    .prompt()
    .lines(native.init(), ...ids.flatMap(asked))
    .command({ type: "reattached" });
}

/** The CLI's answer to the second initialize: what waits. */
function listing(story: Story, ...requests: Json[]): Story {
  const request = story.sent.findLast(({ request }) => (request as Json | undefined)?.subtype === "initialize");
  const response = { commands: [], agents: [], models: [] };
  const answer = {
    subtype: "success",
    request_id: request?.request_id,
    response,
    pending_permission_requests: requests,
  };
  return story.lines({ type: "control_response", response: answer });
}

const waiting = (story: Story) =>
  story.tools.filter(({ state }) => state.status === "blocked").map(({ callID }) => callID);

describe("a gateway that comes back", () => {
  test("asks the CLI what waits, and nothing where none runs", () => {
    expect(reattached("t1").sent.filter(({ request }) => (request as Json)?.subtype === "initialize")).toHaveLength(2);
    expect(new Story().command({ type: "reattached" }).sent).toEqual([]);
  });

  test("leaves what waits for both as it is", () => {
    const story = reattached("t1", "t2");
    const before = story.tools;
    expect(listing(story, ask("t1"), ask("t2")).tools).toEqual(before);
    story.reply({ decision: "once" }, story.blockOf("t1").id);
    expect(waiting(story)).toEqual(["t2"]);
  });

  test("lets go of what waits for the CLI no more: the result tells what became of it", () => {
    const story = listing(reattached("t1", "t2"), ask("t2"));
    expect(waiting(story)).toEqual(["t2"]);
    story.lines(native.toolResult("t1", "done"));
    expect(story.tool("t1")).toMatchObject({ status: "completed", block: { decidedBy: "agent" } });
  });

  test("asks what it never heard of", () => {
    const story = new Story().prompt().lines(native.init(), call("t1")).command({ type: "reattached" });
    expect(waiting(listing(story, ask("t1")))).toEqual(["t1"]);
    story.reply({ decision: "once" });
    expect(story.sent.at(-1)).toMatchObject({ response: { request_id: "ask_t1", response: { behavior: "allow" } } });
  });

  test("does not ask again what was answered while the CLI made its list", () => {
    const story = reattached("t1");
    story.reply({ decision: "once" });
    expect(waiting(listing(story, ask("t1")))).toEqual([]);
    story.expectLawful();
  });

  test("keeps what an older CLI does not list", () => {
    const story = reattached("t1");
    const request = story.sent.at(-1);
    const response = { subtype: "success", request_id: request?.request_id, response: {} };
    expect(waiting(story.lines({ type: "control_response", response }))).toEqual(["t1"]);
  });
});
