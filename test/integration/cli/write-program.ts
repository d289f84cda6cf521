import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** A program that runs a command, for what is told an agent by one path. */
export function writeProgram(name: string, command: readonly string[], folder: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(" ")}\n`, { mode: 0o755 });
  return path;
}
