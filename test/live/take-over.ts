import assert from "node:assert/strict";
import pino from "pino";
import { LocalAgentHost } from "../../src/process/local-agent-host.js";
import { AgentPrograms, adapterOf } from "../../src/session/agent-programs.js";
import { Gateway } from "../../src/session/gateway.js";
import { openStore } from "../../src/store/open-store.js";
import { importSession, transcriptAgent } from "../../src/transcripts/import-session.js";
import { findSessions } from "../../src/transcripts/session-files.js";
import type { InstalledAgent } from "./install.js";
import { LiveDriver } from "./live-driver.js";
import type { FullDriver, ScenarioDirs, ScriptedModel } from "./scenario.js";

interface TakeOver {
  readonly agentID: string;
  readonly installed: InstalledAgent;
  readonly dirs: ScenarioDirs;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly model: ScriptedModel;
}

/** Imports what the CLI kept of a session into another database, where the story goes on. */
export async function takeOver(
  { agentID, installed, dirs, env, model }: TakeOver,
  story: (driver: FullDriver) => Promise<void>,
): Promise<void> {
  const agent = transcriptAgent(adapterOf(agentID));
  const store = openStore({ path: ":memory:" });
  const gateway = new Gateway({
    store,
    host: new LocalAgentHost({ env }),
    programs: new AgentPrograms({ overrides: { [agentID]: { command: installed.path, args: [] } } }),
    log: pino({ level: "silent" }),
    env,
  });
  try {
    const [files, ...others] = await findSessions(agent.reader, agent.reader.folder(env, dirs.home));
    assert(files && others.length === 0, "the CLI kept one session");
    const outcome = await importSession(store, agent, files);
    assert(outcome.kind === "imported", outcome.kind);
    const driver = new LiveDriver(gateway, store, outcome.sessionID, model, dirs);
    await story(driver);
  } finally {
    await gateway.close();
    store.close();
  }
}
