import { MessageID, PartID, SessionID } from "./ids.js";

/** The fields every part has. */
export const partBase = { id: PartID, sessionID: SessionID, messageID: MessageID };
