// Makes a bare clone ready: installs the dependencies when they are missing or older than the lock file, and builds when
// a source is newer than the build. Only what node itself brings is used here.
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const SOURCES = ["schemas", "adapters", "src", "package.json", "tsconfig.json", "tsconfig.build.json"];

if (newest(join(root, "package-lock.json")) > newest(join(root, "node_modules/.package-lock.json"))) {
  run("npm", ["ci", "--no-audit", "--no-fund"]);
}
if (Math.max(...SOURCES.map((path) => newest(join(root, path)))) > newest(join(root, "dist/.built"))) {
  run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json"]);
  run(process.execPath, ["-e", "require('fs').writeFileSync('dist/.built', '')"]);
}

/** When a file, or the newest file in a folder, was written; 0 when there is none. */
function newest(path) {
  const info = statSync(path, { throwIfNoEntry: false });
  if (!info) return 0;
  if (!info.isDirectory()) return info.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function run(command, args) {
  // stdout belongs to what is started next.
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ["inherit", 2, 2],
    shell: process.platform === "win32",
  });
  if (status === 0) return;
  process.stderr.write(`${command} ${args.join(" ")} failed${error ? `: ${error.message}` : ""}\n`);
  process.exit(status ?? 1);
}
