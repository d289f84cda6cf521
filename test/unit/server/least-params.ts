import type { Method } from "../../../schemas/index.js";

/** The least that each method takes. */
export const LEAST_PARAMS: Record<Method, Record<string, unknown>> = {
  initialize: {},
  "agent.list": {},
  "session.create": { agent: "claude", directory: "/project" },
  "session.get": { sessionID: "ses_1" },
  "session.list": {},
  "session.children": { sessionID: "ses_1" },
  "session.messages": { sessionID: "ses_1" },
  "session.update": { sessionID: "ses_1" },
  "session.delete": { sessionID: "ses_1" },
  "session.abort": { sessionID: "ses_1" },
  "session.prompt": { sessionID: "ses_1", parts: [{ type: "text", text: "hi" }] },
  "session.fork": { sessionID: "ses_1" },
  "session.resume": { sessionID: "ses_1" },
  "session.attach": { agent: "claude", nativeID: "n1" },
  "session.setMode": { sessionID: "ses_1", mode: "plan" },
  "session.setModel": { sessionID: "ses_1", model: "m" },
  "session.setOption": { sessionID: "ses_1", option: "o", value: 1 },
  "block.list": {},
  "block.reply": { blockID: "per_1", decision: "once" },
  "todo.get": { sessionID: "ses_1" },
  "blob.get": { ref: "r" },
  "events.subscribe": {},
  "events.unsubscribe": { subscriptionID: "sub_1" },
};
