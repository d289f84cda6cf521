import { writeSync } from "node:fs";
import { openStore } from "../../../src/store/open-store.js";
import * as make from "./samples.js";

/** Writes groups without end and says on stdout what was published, until it is killed. */
const store = openStore({ path: process.argv[2] ?? ":memory:" });
store.subscribe((group) => {
  for (const envelope of group) writeSync(1, `${JSON.stringify(envelope)}\n`);
});
store.write({ sessionID: "ses_1", events: [make.created(make.session("ses_1"))] });

function writeGroup(number: number): void {
  const messageID = `msg_${String(number).padStart(6, "0")}`;
  const part = make.textPart({ sessionID: "ses_1", messageID, id: `prt_${messageID.slice(4)}` });
  const events = [
    make.message(make.assistantMessage("ses_1", messageID, number)),
    make.partUpdated(part),
    make.delta(part, 0, "text"),
    make.partUpdated({ ...part, text: "text", time: { start: 1, end: 2 } }),
  ];
  store.write({ sessionID: "ses_1", events, checkpoint: { state: { number }, epoch: 1, seq: number } });
  setImmediate(() => writeGroup(number + 1));
}
writeGroup(1);
