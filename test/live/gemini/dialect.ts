import type { Dialect, NamedAnswer, NamedPart } from "../model-server/dialect.js";
import { pieces } from "../model-server/pieces.js";
import type { Usage } from "../model-server/script.js";
import { usageOf } from "../model-server/usage.js";
import { laneOf } from "./seen.js";

type Json = Readonly<Record<string, unknown>>;

const ROUTE = /^POST \/v1beta\/models\/([^:]+):(generateContent|streamGenerateContent)$/;

/** The Gemini API: `generateContent` and `streamGenerateContent`. */
export const GEMINI: Dialect = {
  asks: (route) => {
    const method = ROUTE.exec(route)?.[2];
    if (method === undefined) return undefined;
    return method === "generateContent" ? "whole" : "stream";
  },
  other: (route) => (route.endsWith(":countTokens") ? { totalTokens: usageOf().input } : undefined),
  modelOf: (route) => ROUTE.exec(route)?.[1] ?? "",
  laneOf,
  head: () => [],
  deltasOf: (part, answer) => partsOf(part).map((native) => chunkOf(answer, [native])),
  // The API tells why it stopped with the last piece of content, which may be empty.
  tail: (answer) => [endOf(answer, [{ text: "" }])],
  whole: (answer) => endOf(answer, answer.parts.flatMap(partsOf)),
  error: ({ status, message }) => ({ error: { code: status, message, status: ERROR_STATES[status] ?? "INTERNAL" } }),
};

const ERROR_STATES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
};

function partsOf(part: NamedPart): Json[] {
  switch (part.type) {
    case "text":
      return pieces(part.text, part.chunk).map((text) => ({ text }));
    case "thought":
      return pieces(part.text, part.chunk).map((text) => ({ text, thought: true }));
    case "call":
      return [{ functionCall: { id: part.callID, name: part.name, args: part.input } }];
  }
}

function chunkOf({ model, id }: NamedAnswer, parts: readonly Json[], candidate: Json = {}): Json {
  const candidates = [{ index: 0, content: { role: "model", parts }, ...candidate }];
  return { candidates, modelVersion: model, responseId: id };
}

function endOf(answer: NamedAnswer, parts: readonly Json[]): Json {
  return { ...chunkOf(answer, parts, { finishReason: finishOf(answer) }), usageMetadata: nativeUsage(answer.usage) };
}

function finishOf({ finish }: NamedAnswer): string {
  if (finish === "length") return "MAX_TOKENS";
  return finish === "refusal" ? "SAFETY" : "STOP";
}

/** Unlike other APIs this one counts thoughts beside the answer, not in it. */
function nativeUsage(usage: Partial<Usage> | undefined): Json {
  const { input, cached, output, thought } = usageOf(usage);
  return {
    promptTokenCount: input,
    cachedContentTokenCount: cached,
    candidatesTokenCount: output - thought,
    thoughtsTokenCount: thought,
    totalTokenCount: input + output,
  };
}
