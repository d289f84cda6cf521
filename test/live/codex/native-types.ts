import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { READ_METHODS } from "../../../adapters/codex/frame.js";
import type { InstalledAgent } from "../install.js";

/** Where those of the pinned version are kept. */
export const NATIVE_TYPES = "adapters/codex/native-types.ts";

/** The requests that the adapter writes, and those whose answers it reads. */
const SENT_METHODS: ReadonlySet<string> = new Set([
  "initialize",
  "model/list",
  "review/start",
  "thread/archive",
  "thread/backgroundTerminals/clean",
  "thread/compact/start",
  "thread/fork",
  "thread/resume",
  "thread/settings/update",
  "thread/start",
  "thread/unarchive",
  "turn/interrupt",
  "turn/start",
  "turn/steer",
]);
const ANSWERED = /^(?:Initialize|ModelList|ReviewStart|ThreadFork|ThreadResume|ThreadStart|TurnStart)Params$/;

/** What the adapter names beside the tables of methods. */
const EXPORTED = new Set(["JsonValue", "SandboxPolicy", "ThreadItem", "UserInput"]);

const METHOD = /"method": "([^"]+)"(?:, id: RequestId)?, "?params"?: (\w+)/g;
const IMPORT = /^import type \{ (\w+) \} from "(.+)";$/gm;
const COMMENT = /\/\*\*[\s\S]*?\*\/|^\/\/.*$/gm;

/** Has the CLI describe its protocol, and reads the description; nothing of it stays. */
export async function readProtocol<T>({ path }: InstalledAgent, read: (folder: string) => Promise<T>): Promise<T> {
  const home = await mkdtemp(join(tmpdir(), "aw-protocol-"));
  try {
    const folder = join(home, "types");
    const args = ["app-server", "generate-ts", "--experimental", "--out", folder];
    await promisify(execFile)(path, args, { env: { PATH: process.env.PATH, HOME: home, CODEX_HOME: home } });
    return await read(folder);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** The types of what the adapter reads and writes, and all that they name: one file, without the vendor's comments. */
export async function nativeTypes(folder: string): Promise<string> {
  const newer = join(folder, "v2");
  const known = new TypeFiles(newer, new Set(await readdir(newer)));
  const told = await known.methods(join(folder, "ServerNotification.ts"), READ_METHODS);
  const asked = await known.methods(join(folder, "ServerRequest.ts"), READ_METHODS);
  const sent = await known.methods(join(folder, "ClientRequest.ts"), SENT_METHODS);
  const answers = new Map<string, string>();
  for (const [method, params] of sent) {
    if (!ANSWERED.test(params)) continue;
    answers.set(method, await known.named(folder, params.replace(/Params$/, "Response")));
  }
  return formatted([
    "// Generated from the CLI by `npm run codex-types`; not to be changed by hand.\n",
    table("ServerNotifications", told),
    table("ServerRequests", asked),
    table("ClientRequests", sent),
    table("ClientAnswers", answers),
    ...known.declarations(),
  ]);
}

function formatted(texts: readonly string[]): string {
  const args = ["format", `--stdin-file-path=${NATIVE_TYPES}`];
  return execFileSync("node_modules/.bin/biome", args, { input: texts.join("\n"), encoding: "utf8" });
}

function table(name: string, types: ReadonlyMap<string, string>): string {
  const fields = [...types].map(([method, type]) => `  ${JSON.stringify(method)}: ${type};`).sort();
  return `export interface ${name} {\n${fields.join("\n")}\n}\n`;
}

/** Types by the files they stand in, one in each. The newer half of the protocol is in a folder of its own. */
class TypeFiles {
  readonly #newer: string;
  readonly #files: ReadonlySet<string>;
  readonly #declarations = new Map<string, string>();

  constructor(newer: string, files: ReadonlySet<string>) {
    this.#newer = newer;
    this.#files = files;
  }

  /** A type by its name alone, and what it is called here. */
  named(folder: string, name: string): Promise<string> {
    const file = `${name}.ts`;
    return this.add(join(this.#files.has(file) ? this.#newer : folder, file));
  }

  async add(path: string): Promise<string> {
    const name = this.#nameOf(path);
    if (this.#declarations.has(name)) return name;
    this.#declarations.set(name, "");
    const text = (await readFile(path, "utf8")).replace(COMMENT, "");
    let body = text.replace(IMPORT, "").trim();
    for (const [, local = "", from = ""] of text.matchAll(IMPORT)) {
      const imported = await this.add(join(dirname(path), `${from}.ts`));
      if (imported !== local) body = body.replaceAll(new RegExp(`\\b${local}\\b`, "g"), imported);
    }
    this.#declarations.set(
      name,
      body
        .replace(`export type ${basename(path, ".ts")} `, `${EXPORTED.has(name) ? "export " : ""}type ${name} `)
        .replace(/\n\s*\n/g, "\n"),
    );
    return name;
  }

  /** The types of the parameters of these methods. */
  async methods(path: string, wanted: ReadonlySet<string>): Promise<Map<string, string>> {
    const text = await readFile(path, "utf8");
    const files = new Map([...text.matchAll(IMPORT)].map(([, name = "", from = ""]) => [name, `${from}.ts`]));
    const types = new Map<string, string>();
    for (const [, method = "", params = ""] of text.matchAll(METHOD)) {
      const file = files.get(params);
      if (wanted.has(method) && file !== undefined) types.set(method, await this.add(join(dirname(path), file)));
    }
    return types;
  }

  /** The newer half has some names of the older one again. */
  #nameOf(path: string): string {
    const isOlder = dirname(path) !== this.#newer && this.#files.has(basename(path));
    return `${isOlder ? "Older" : ""}${basename(path, ".ts")}`;
  }

  declarations(): string[] {
    return [...this.#declarations].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => `${text}\n`);
  }
}
