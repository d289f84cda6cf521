import { z } from "zod";

/** The closed list of ways a message or a session can fail. */
export const MESSAGE_ERROR_NAMES = [
  "aborted",
  "auth",
  "rate_limit",
  "usage_limit",
  "overloaded",
  "context_overflow",
  "output_length",
  "refusal",
  "invalid_request",
  "network",
  "agent_exited",
  "protocol",
  "timeout",
  "unknown",
] as const;

/**
 * Why a message or session ended badly. `message` is for people; programs branch on `name`. `retryable` says whether
 * the same prompt may succeed later. The agent's own error is kept unread in `data.native`.
 */
export const MessageError = z.object({
  name: z.enum(MESSAGE_ERROR_NAMES),
  message: z.string(),
  retryable: z.boolean(),
  data: z.object({ native: z.unknown() }).optional(),
});
export type MessageError = z.infer<typeof MessageError>;
export type MessageErrorName = MessageError["name"];
