import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Builds what was changed since the last build, for what runs the program as it is shipped. */
export function build(): void {
  const bootstrap = fileURLToPath(new URL("../scripts/bootstrap.mjs", import.meta.url));
  const { status } = spawnSync(process.execPath, [bootstrap], { stdio: ["inherit", 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}
