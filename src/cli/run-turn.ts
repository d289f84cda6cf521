import type { AssistantMessage, WireEvent } from "../../schemas/index.js";
import { ERROR_TABLE } from "../../schemas/index.js";
import type { OpenGateway } from "./open-gateway.js";

/** Sends one prompt and resolves, when its turn has ended, with the last message of the turn. */
export async function runTurn(
  { gateway, store }: Pick<OpenGateway, "gateway" | "store">,
  sessionID: string,
  text: string,
  onEvent: (event: WireEvent) => void,
): Promise<AssistantMessage | undefined> {
  let last: AssistantMessage | undefined;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const stop = store.subscribe(
    (group) => {
      for (const { event } of group) {
        onEvent(event);
        if (event.type === "message.updated" && event.properties.info.role === "assistant")
          last = event.properties.info;
        if (event.type === "session.status" && event.properties.status.type === "idle") end();
      }
    },
    { sessionID },
  );
  try {
    await gateway.handle("session.prompt", { sessionID, parts: [{ type: "text", text }] });
    await ended;
    return last;
  } finally {
    stop();
  }
}

/** The exit code of a turn: 0 when the agent came to its end. */
export function exitCodeOf(message: AssistantMessage | undefined): number {
  return message?.finish === "stop" || message?.finish === "tool-calls" ? 0 : ERROR_TABLE.agent_failed.exitCode;
}
