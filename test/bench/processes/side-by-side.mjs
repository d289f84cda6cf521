import { openGatewayPath } from "./gateway-path.mjs";
import { inTurns } from "./in-turns.mjs";
import { openRawPath } from "./raw-path.mjs";

/** Measures a turn on the raw path (the floor) and on the gateway (the subject), as `inTurns` does. */
export async function sideBySide(options) {
  const [floor, subject] = await inTurns({ paths: [openRawPath(), openGatewayPath()], ...options });
  return { floor, subject };
}
