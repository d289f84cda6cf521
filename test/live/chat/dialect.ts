import type { Dialect, NamedAnswer, NamedPart } from "../model-server/dialect.js";
import { pieces } from "../model-server/pieces.js";
import type { Usage } from "../model-server/script.js";
import { usageOf } from "../model-server/usage.js";
import { laneOf } from "./seen.js";

type Json = Readonly<Record<string, unknown>>;

/** The Chat Completions API, as the providers behind it speak it: thoughts come as `reasoning_content`. */
export const CHAT: Dialect = {
  asks: (route, body) => {
    if (route !== "POST /v1/chat/completions") return undefined;
    return body.stream === true ? "stream" : "whole";
  },
  other: (route) => (route === "GET /v1/models" ? { object: "list", data: [] } : undefined),
  modelOf: (_route, body) => String(body.model),
  laneOf,
  head: (answer) => [chunkOf(answer, { role: "assistant", content: "" })],
  deltasOf: (part, answer) => deltasOf(part).map((delta) => chunkOf(answer, delta)),
  tail: (answer) => [
    chunkOf(answer, {}, finishOf(answer)),
    { ...envelopeOf(answer, "chat.completion.chunk"), choices: [], usage: nativeUsage(answer.usage) },
  ],
  last: "[DONE]",
  whole: (answer) => ({
    ...envelopeOf(answer, "chat.completion"),
    choices: [{ index: 0, message: messageOf(answer), finish_reason: finishOf(answer) }],
    usage: nativeUsage(answer.usage),
  }),
  error: ({ status, message }) => ({ error: { message, type: ERROR_TYPES[status] ?? "server_error", code: null } }),
};

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  404: "invalid_request_error",
  429: "rate_limit_error",
};

function envelopeOf({ id, model }: NamedAnswer, object: string): Json {
  return { id, object, created: 1, model };
}

function chunkOf(answer: NamedAnswer, delta: Json, finish: string | null = null): Json {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return { ...envelopeOf(answer, "chat.completion.chunk"), choices };
}

function deltasOf(part: NamedPart): Json[] {
  switch (part.type) {
    case "text":
      return pieces(part.text, part.chunk).map((content) => ({ content }));
    case "thought":
      return pieces(part.text, part.chunk).map((piece) => ({ reasoning_content: piece }));
    case "call": {
      const { callIndex: index } = part;
      const begun = { index, id: part.callID, type: "function", function: { name: part.name, arguments: "" } };
      const json = JSON.stringify(part.input);
      // Whole by default: a path that is cut between two deltas could not be given a placeholder.
      const input = part.chunk === undefined ? [json] : pieces(json, part.chunk);
      return [begun, ...input.map((piece) => ({ index, function: { arguments: piece } }))].map((call) => ({
        tool_calls: [call],
      }));
    }
  }
}

function messageOf({ parts }: NamedAnswer): Json {
  const joined = (type: "text" | "thought") =>
    parts.flatMap((part) => (part.type === type ? [part.text] : [])).join("");
  const calls = parts.flatMap((part) =>
    part.type === "call"
      ? [{ id: part.callID, type: "function", function: { name: part.name, arguments: JSON.stringify(part.input) } }]
      : [],
  );
  const reasoning = joined("thought");
  return {
    role: "assistant",
    content: joined("text"),
    ...(reasoning !== "" && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function finishOf({ finish, parts }: NamedAnswer): string {
  if (finish === "length") return "length";
  if (finish === "refusal") return "content_filter";
  return parts.some(({ type }) => type === "call") ? "tool_calls" : "stop";
}

function nativeUsage(usage: Partial<Usage> | undefined): Json {
  const { input, cached, output, thought } = usageOf(usage);
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: thought },
  };
}
