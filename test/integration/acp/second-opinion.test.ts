import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { client, ndJsonStream, type SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import { expect, test } from "vitest";
import { createFolder, SDK_AGENT, SdkRig } from "./sdk-rig.js";

const PROMPT = "think say shell ids edit uncalled say";

interface Story {
  readonly texts: string[];
  readonly thoughts: string[];
  readonly calls: string[];
}

/** The same prompt to the same agent by the SDK's own client, with every permission given. */
async function bySdk(): Promise<Story> {
  const agent = spawn(process.execPath, [SDK_AGENT, createFolder()], { stdio: ["pipe", "pipe", "inherit"] });
  const updates: SessionUpdate[] = [];
  const stream = ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout) as ReadableStream<Uint8Array>);
  try {
    await client({ name: "second-opinion" })
      .onNotification("session/update", ({ params }) => void updates.push(params.update))
      .onRequest("session/request_permission", ({ params }) => {
        const optionId = params.options.find(({ kind }) => kind === "allow_once")?.optionId ?? "";
        return { outcome: { outcome: "selected", optionId } };
      })
      .connectWith(stream, async (context) => {
        await context.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
        const { sessionId } = await context.request("session/new", { cwd: "/", mcpServers: [] });
        await context.request("session/prompt", { sessionId, prompt: [{ type: "text", text: PROMPT }] });
      });
  } finally {
    agent.kill();
  }
  return storyOf(updates);
}

function storyOf(updates: readonly SessionUpdate[]): Story {
  const said = (kind: SessionUpdate["sessionUpdate"]) =>
    updates.flatMap((update) =>
      update.sessionUpdate === kind && "content" in update && isText(update.content) ? [update.content.text] : [],
    );
  const calls = new Map<string, string>();
  for (const update of updates) {
    if (update.sessionUpdate !== "tool_call" && update.sessionUpdate !== "tool_call_update") continue;
    calls.set(update.toolCallId, update.status ?? calls.get(update.toolCallId) ?? "pending");
  }
  return { texts: said("agent_message_chunk"), thoughts: said("agent_thought_chunk"), calls: [...calls].map(String) };
}

function isText(content: unknown): content is { type: "text"; text: string } {
  return typeof content === "object" && content !== null && "type" in content && content.type === "text";
}

async function byGateway(): Promise<Story> {
  const rig = new SdkRig();
  const sessionID = await rig.create({ permission: [{ permission: "*", pattern: "*", action: "allow" }] });
  await rig.run(PROMPT, sessionID);
  const firstMessage = rig.store.messages(sessionID, { limit: 100 })[0]?.info.id;
  const ofType = (type: "text" | "reasoning") =>
    rig.parts(sessionID).flatMap((part) => (part.type === type && part.messageID !== firstMessage ? [part.text] : []));
  const calls = rig.tools(sessionID).map(({ metadata, state }) => {
    const native = metadata?.native as { toolCallId?: string } | undefined;
    return String([native?.toolCallId, state.status]);
  });
  return { texts: ofType("text"), thoughts: ofType("reasoning"), calls };
}

test("the SDK's client and the gateway see the same texts, thoughts and calls of the same agent", async () => {
  const [ours, theirs] = await Promise.all([byGateway(), bySdk()]);
  expect(ours.texts.join("")).toBe(theirs.texts.join(""));
  expect(ours.thoughts.join("")).toBe(theirs.thoughts.join(""));
  expect(ours.calls).toEqual(theirs.calls);
  expect(theirs.calls).toHaveLength(3);
});
