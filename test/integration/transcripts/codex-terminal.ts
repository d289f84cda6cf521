import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { THREAD, Writer } from "../../unit/adapters/codex-rollout/writer.js";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const TODAY = "2026/01/01";

export interface CodexTerminalOptions {
  readonly nativeID?: string;
  readonly beside?: CodexTerminal;
  /** What its file has behind the thread's id. */
  readonly suffix?: string;
}

/** Codex's own folder, in which a terminal writes one session's rollouts. */
export class CodexTerminal {
  readonly agent = "codex";
  readonly home: string;
  readonly directory: string;
  readonly env: { readonly CODEX_HOME: string };
  readonly writer = new Writer();
  readonly nativeID: string;
  readonly #suffix: string;
  #written = 0;

  constructor({ nativeID = THREAD, beside, suffix = "" }: CodexTerminalOptions = {}) {
    this.home = beside?.home ?? realpathSync(mkdtempSync(join(tmpdir(), "agentwire-codex-")));
    if (!beside) folders.push(this.home);
    this.nativeID = nativeID;
    this.#suffix = suffix;
    this.env = { CODEX_HOME: this.home };
    this.directory = join(this.home, "project");
    mkdirSync(this.directory, { recursive: true });
  }

  /** The first line of the session's own file. */
  begin(meta: object = {}): this {
    return this.write((w) => w.begin({ id: this.nativeID, cwd: this.directory, source: "cli", ...meta }));
  }

  /** Writes lines to the files that they belong to; in `halves`, each with two writes; `day` is when new ones begin. */
  write(write: (writer: Writer) => unknown, { halves = false, day = TODAY } = {}): this {
    write(this.writer);
    for (const { thread, raw } of this.writer.lines.slice(this.#written)) {
      const path = this.file(thread, day);
      mkdirSync(dirname(path), { recursive: true });
      const line = `${JSON.stringify(raw)}\n`;
      const cut = halves ? line.length >> 1 : 0;
      for (const piece of [line.slice(0, cut), line.slice(cut)]) appendFileSync(path, piece);
    }
    this.#written = this.writer.lines.length;
    return this;
  }

  file(thread = "", day = TODAY): string {
    const name = thread === "" ? `${this.nativeID}${this.#suffix}` : thread;
    return join(this.home, "sessions", day, `rollout-${day.replaceAll("/", "-")}T10-00-00-${name}.jsonl`);
  }
}
