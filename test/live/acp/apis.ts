import * as messages from "../anthropic/script.js";
import { imagesIn as anthropicImages, toolResultsIn as anthropicResults } from "../anthropic/seen.js";
import { AnthropicServer } from "../anthropic/server.js";
import { CHAT } from "../chat/dialect.js";
import * as chat from "../chat/seen.js";
import { GEMINI } from "../gemini/dialect.js";
import * as gemini from "../gemini/seen.js";
import type { ModelServer } from "../live-agent.js";
import { DialectServer } from "../model-server/dialect-server.js";
import type { Lanes } from "../model-server/script.js";
import { imagesIn as openaiImages, toolResultsIn as openaiResults } from "../openai/seen.js";
import { OpenaiServer } from "../openai/server.js";
import type { SeenRequest } from "../scenario.js";
import { asMessages } from "./as-messages.js";
import { asResponses } from "./as-responses.js";

/** An API of models: how a script is served as it, and where its requests hold what scenarios look at. */
interface Api {
  start(lanes: Lanes): Promise<ModelServer>;
  toolResultsIn(request: SeenRequest): string[];
  imagesIn(request: SeenRequest): string[];
}

export type ApiName = keyof typeof APIS;

/** Side calls come when the agent likes: what they cost may not show in a story's totals. */
const FREE: messages.Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export const APIS = {
  messages: {
    start: (lanes) => AnthropicServer.start(asMessages(lanes), messages.say("ok", { usage: FREE })),
    toolResultsIn: (request) => anthropicResults(request).map(({ text }) => text),
    imagesIn: anthropicImages,
  },
  responses: {
    start: (lanes) => OpenaiServer.start(asResponses(lanes)),
    toolResultsIn: (request) => openaiResults(request).map(({ text }) => text),
    imagesIn: openaiImages,
  },
  chat: {
    start: (lanes) => DialectServer.start(CHAT, lanes),
    toolResultsIn: ({ body }) => chat.toolResultsIn(body),
    imagesIn: ({ body }) => chat.imagesIn(body),
  },
  gemini: {
    start: (lanes) => DialectServer.start(GEMINI, lanes),
    toolResultsIn: ({ body }) => gemini.toolResultsIn(body),
    imagesIn: ({ body }) => gemini.imagesIn(body),
  },
} satisfies Record<string, Api>;
