import type { Method } from "./command.js";

export type Verb = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Route {
  readonly verb: Verb;
  /** `{name}` stands for the parameter of that name. */
  readonly path: string;
}

/**
 * Every request as HTTP. A parameter that is not in the path is in the query of a GET or DELETE and in the JSON body of
 * any other; its type, and whether it is needed, is what `METHODS` says. Imports no schema: clients use it too.
 */
export const ROUTES = {
  initialize: { verb: "POST", path: "/initialize" },
  "agent.list": { verb: "GET", path: "/agent" },
  "session.create": { verb: "POST", path: "/session" },
  "session.get": { verb: "GET", path: "/session/{sessionID}" },
  "session.list": { verb: "GET", path: "/session" },
  "session.children": { verb: "GET", path: "/session/{sessionID}/children" },
  "session.messages": { verb: "GET", path: "/session/{sessionID}/message" },
  "session.diagnostics": { verb: "GET", path: "/session/{sessionID}/diagnostics" },
  "session.update": { verb: "PATCH", path: "/session/{sessionID}" },
  "session.delete": { verb: "DELETE", path: "/session/{sessionID}" },
  "session.abort": { verb: "POST", path: "/session/{sessionID}/abort" },
  "session.prompt": { verb: "POST", path: "/session/{sessionID}/prompt" },
  "session.compact": { verb: "POST", path: "/session/{sessionID}/compact" },
  "session.review": { verb: "POST", path: "/session/{sessionID}/review" },
  "session.fork": { verb: "POST", path: "/session/{sessionID}/fork" },
  "session.resume": { verb: "POST", path: "/session/{sessionID}/resume" },
  "session.attach": { verb: "POST", path: "/session/attach" },
  "session.setMode": { verb: "PUT", path: "/session/{sessionID}/mode" },
  "session.setModel": { verb: "PUT", path: "/session/{sessionID}/model" },
  "session.setOption": { verb: "PUT", path: "/session/{sessionID}/option/{option}" },
  "block.list": { verb: "GET", path: "/block" },
  "block.reply": { verb: "POST", path: "/block/{blockID}/reply" },
  "todo.get": { verb: "GET", path: "/session/{sessionID}/todo" },
  "blob.get": { verb: "GET", path: "/blob/{ref}" },
  /** Answered as a stream of server-sent events. */
  "events.subscribe": { verb: "GET", path: "/event" },
  "events.unsubscribe": { verb: "DELETE", path: "/event/{subscriptionID}" },
} as const satisfies Record<Method, Route>;

/** Whether what is not in the path comes as a JSON body. */
export const takesBody = (verb: Verb): boolean => verb !== "GET" && verb !== "DELETE";

/** The names of the parameters in a route's path. */
export function pathParams(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
}
