import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { ADAPTERS } from "../../../adapters/index.js";
import { installCodex } from "../install.js";
import { NATIVE_TYPES, nativeTypes, readProtocol } from "./native-types.js";
import { typesDrift } from "./protocol-drift.js";

/**
 * `npm run codex-types [-- --version VERSION]`: writes the types of the pinned version's protocol, or tells how those of
 * another version differ.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { version: { type: "string" } } });
  const pinned = ADAPTERS.codex?.testedVersion ?? "latest";
  const { version = pinned } = values;
  const installed = await installCodex({ version, agentsDir: ".agents" });
  const types = await readProtocol(installed, nativeTypes);
  const drift = await typesDrift(types);
  if (version === pinned) await writeFile(NATIVE_TYPES, types);
  else process.exitCode = drift.length;
  console.log(drift.length === 0 ? `${installed.version} has the types that are kept` : drift.join("\n"));
}

await main();
