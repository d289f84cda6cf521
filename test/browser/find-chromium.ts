import { findProgram } from "../../src/process/find-program.js";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/** Where Chromium is: what `CHROMIUM` names, else the first of its usual names on PATH. Throws with what to install. */
export function findChromium(env: NodeJS.ProcessEnv): string {
  const { CHROMIUM } = env;
  const names = CHROMIUM ? [CHROMIUM] : NAMES;
  const [found] = names.flatMap((name) => findProgram(name, process.cwd(), env) ?? []);
  if (found !== undefined) return found;
  const missing = CHROMIUM
    ? `CHROMIUM names ${CHROMIUM}, which is not there`
    : `none of ${NAMES.join(", ")} is on PATH`;
  throw new Error(
    `no browser to test with: ${missing}. Install Chromium or Chrome (Debian: apt-get install chromium), or set CHROMIUM to its program.`,
  );
}
