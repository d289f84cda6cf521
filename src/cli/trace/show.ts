import { replay } from "../../conformance/replay.js";
import { eventsOf } from "../../conformance/run.js";
import { readTrace } from "../../conformance/trace.js";
import { Screen } from "../terminal/screen.js";
import { TerminalView } from "../terminal/terminal-view.js";
import { UsageError } from "../usage-error.js";

export async function action([folder]: readonly string[]): Promise<number> {
  if (folder === undefined) throw new UsageError("name the folder of a trace");
  const trace = readTrace(folder);
  const { title, adapter, agentVersion, requirements } = trace.info;
  process.stdout.write(
    `${title}\n${adapter} ${agentVersion}; proves ${requirements.join(", ") || "nothing named"}\n\n`,
  );
  const view = new TerminalView(new Screen(process.stdout));
  for (const event of eventsOf(replay(trace).run)) view.show(event);
  return 0;
}
