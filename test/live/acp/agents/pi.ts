import { type AcpAgent, call } from "../acp-agent.js";

export const PI_ACP: AcpAgent = {
  id: "acp-pi",
  folder: "pi-acp",
  beside: ["@earendil-works/pi-coding-agent@1.6.0"],
  api: "chat",
  env: () => ({ PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" }),
  files: (modelUrl) => ({
    ".pi/agent/models.json": {
      providers: {
        scripted: {
          baseUrl: `${modelUrl}/v1`,
          api: "openai-completions",
          apiKey: "test-key",
          models: [
            {
              id: "one",
              name: "One",
              reasoning: true,
              input: ["text", "image"],
              contextWindow: 100_000,
              maxTokens: 8000,
              cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 0 },
            },
          ],
        },
      },
    },
    ".pi/agent/settings.json": { defaultProvider: "scripted", defaultModel: "one", quietStartup: true },
  }),
  tools: {
    shell: (command) => call("bash", { command }),
    read: (path) => call("read", { path }),
    write: (path, content) => call("write", { path, content }),
    edit: (path, oldText, newText) => call("edit", { path, edits: [{ oldText, newText }] }),
  },
  lacks: {
    "abort.blocked": "It asks for nothing.",
    "process.exit-blocked": "It asks for nothing.",
    "error.auth": "The turn ends without a word, which is told as a failure without a reason.",
    "error.invalid-request": "The turn ends without a word, which is told as a failure without a reason.",
    "usage.step": "It tells how full its context is, and nothing of a response.",
    "turn.finish-refusal": "A refusal ends the turn as any other answer does.",
  },
  habits: { asksFor: [], afterReject: "goes-on", tries: { auth: 1, request: 1, refusal: 1 } },
};
