import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NativeLocks } from "../../../src/session/native-locks.js";

/** What another gateway does right before a call of ours. */
const before = vi.hoisted(() => ({ write: (_path: string) => {}, link: () => {}, rename: () => {} }));

vi.mock("node:fs", async (original) => {
  const real = await original<typeof fs>();
  return {
    ...real,
    writeFileSync: (...args: Parameters<typeof fs.writeFileSync>) => {
      before.write(String(args[0]));
      real.writeFileSync(...args);
    },
    linkSync: (...args: Parameters<typeof fs.linkSync>) => {
      before.link();
      real.linkSync(...args);
    },
    renameSync: (...args: Parameters<typeof fs.renameSync>) => {
      before.rename();
      real.renameSync(...args);
    },
  };
});

const GONE = "999999999";
const OTHER = String(process.ppid);
let folder = "";
let path = "";

beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), "agentwire-locks-"));
  path = join(folder, "claude-n1.lock");
});
afterEach(() => {
  Object.assign(before, { write: () => {}, link: () => {}, rename: () => {} });
  fs.rmSync(folder, { recursive: true, force: true });
});

const read = () => fs.readFileSync(path, "utf8");
const acquire = () => new NativeLocks(folder).acquire("claude", "n1", "ses_a");

/** Another gateway writes the file, once. */
function once(content: string): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    fs.rmSync(path, { force: true });
    fs.writeFileSync(path, content);
  };
}

test("a lock is there with its holder, or not at all", () => {
  const written: string[] = [];
  const seen: boolean[] = [];
  before.write = (file) => written.push(file);
  before.link = () => seen.push(fs.existsSync(path));
  acquire();
  expect(written).not.toContain(path);
  expect(seen).toEqual([false]);
  expect(read()).toBe(String(process.pid));
});

test("another gateway that is faster has it", () => {
  before.link = once(OTHER);
  expect(acquire).toThrow(`another gateway (process ${OTHER})`);
  expect(read()).toBe(OTHER);
});

test.each([
  ["took it over in between", () => once(OTHER), OTHER],
  ["moved it away in between", () => () => fs.rmSync(path, { force: true }), String(process.pid)],
])("a lock whose holder is gone, where another gateway %s, is one gateway's", (_, meanwhile, holder) => {
  fs.writeFileSync(path, GONE);
  before.rename = meanwhile();
  if (holder === OTHER) expect(acquire).toThrow("another gateway");
  else acquire();
  expect(read()).toBe(holder);
  expect(fs.readdirSync(folder)).toEqual(["claude-n1.lock"]);
});
