import { statSync } from "node:fs";
import { z } from "zod";
import { ERROR_TABLE } from "../../../schemas/index.js";
import { GatewayError } from "../../gateway-error.js";
import { AgentPrograms, adapterOf } from "../../session/agent-programs.js";
import { describeAgents } from "../../session/describe-agents.js";
import { openStore } from "../../store/open-store.js";
import { AGENTS_DIR } from "../open-gateway.js";
import { parseOptions } from "../parse-options.js";
import { defaultDatabase, defaultTokenFile } from "../state-folder.js";
import type { Verb } from "../verb.js";

interface Finding {
  readonly state: "ok" | "note" | "bad";
  readonly text: string;
}

const OLDEST_NODE = 20;

export const verb: Verb = {
  summary: "check that agents can be started and sessions kept",
  usage: `usage: agentwire doctor [agent]

Checks this installation, and one agent or all. Exits with ${ERROR_TABLE.agent_unavailable.exitCode} when something must be mended.`,
  run: async (args) => {
    const { positionals } = parseOptions(args, {}, z.object({}));
    const findings = [checkNode(), checkDatabase(), checkToken(), ...(await checkAgents(positionals[0]))];
    for (const { state, text } of findings) process.stdout.write(`${state.padEnd(5)} ${text}\n`);
    return findings.some(({ state }) => state === "bad") ? ERROR_TABLE.agent_unavailable.exitCode : 0;
  },
};

function checkNode(): Finding {
  const major = Number(process.versions.node.split(".")[0]);
  return {
    state: major >= OLDEST_NODE ? "ok" : "bad",
    text: `Node.js ${process.versions.node} (needs ${OLDEST_NODE} or newer)`,
  };
}

function checkDatabase(): Finding {
  try {
    openStore({ path: ":memory:" }).close();
    return { state: "ok", text: `SQLite works; sessions are kept in ${defaultDatabase()}` };
  } catch (error) {
    return { state: "bad", text: `SQLite does not work: ${GatewayError.from(error).message}` };
  }
}

function checkToken(): Finding {
  const path = defaultTokenFile();
  const info = statSync(path, { throwIfNoEntry: false });
  if (!info) return { state: "ok", text: "no token yet; `agentwire serve` makes one" };
  const open = process.platform !== "win32" && (info.mode & 0o077) !== 0;
  return open
    ? { state: "bad", text: `others can read the token file ${path}: chmod 600 it` }
    : { state: "ok", text: `the token file ${path} is private` };
}

async function checkAgents(only: string | undefined): Promise<Finding[]> {
  if (only !== undefined) adapterOf(only);
  const { agents } = await describeAgents(new AgentPrograms({ agentsDir: AGENTS_DIR }));
  return agents
    .filter(({ id }) => only === undefined || id === only)
    .map(({ id, name, path, version, testedVersion }): Finding => {
      if (path === undefined) return { state: only === undefined ? "note" : "bad", text: `${name}: not found on PATH` };
      if (adapterOf(id).program.versionArgs.length === 0) return { state: "note", text: `${name} at ${path}` };
      if (version === undefined) return { state: "bad", text: `${name}: ${path} does not tell its version` };
      const same = version === testedVersion;
      return {
        state: same ? "ok" : "note",
        text: `${name} ${version} at ${path}${same ? "" : ` (tested with ${testedVersion})`}`,
      };
    });
}
