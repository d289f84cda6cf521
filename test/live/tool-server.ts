import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { ScenarioDirs } from "./scenario.js";

const FILE = "mcp-server.mjs";

/** A story with the MCP server `demo`. It is copied into the project: a path of this machine may not stand in a trace. */
export const WITH_TOOL_SERVER = {
  session: { mcpServers: { demo: { command: "node", args: [FILE] } } },
  setup: ({ cwd }: ScenarioDirs) => copyFile(new URL(`fixtures/${FILE}`, import.meta.url), join(cwd, FILE)),
};
