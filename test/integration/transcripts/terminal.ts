import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { SESSION, Writer } from "../../unit/adapters/claude-transcript/writer.js";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The folder of an agent's configuration, in which a terminal writes one session's transcript. */
export class Terminal {
  readonly agent = "claude";
  readonly config: string;
  readonly directory: string;
  readonly env: { readonly CLAUDE_CONFIG_DIR: string };
  readonly writer = new Writer();
  readonly nativeID: string;
  #written = 0;

  constructor(options: { readonly nativeID?: string; readonly beside?: Terminal } = {}) {
    const { nativeID = SESSION, beside } = options;
    this.config = beside?.config ?? realpathSync(mkdtempSync(join(tmpdir(), "agentwire-config-")));
    if (!beside) folders.push(this.config);
    this.nativeID = nativeID;
    this.env = { CLAUDE_CONFIG_DIR: this.config };
    this.directory = join(this.config, "project");
    mkdirSync(this.directory, { recursive: true });
  }

  /** Writes lines to the files that they belong to; in `halves`, each with two writes. */
  write(write: (writer: Writer) => void, { halves = false } = {}): this {
    write(this.writer);
    for (const { thread, raw } of this.writer.lines.slice(this.#written)) {
      const path = this.file(thread);
      mkdirSync(dirname(path), { recursive: true });
      const line = `${JSON.stringify({ ...(raw as object), sessionId: this.nativeID, cwd: this.directory })}\n`;
      const cut = halves ? line.length >> 1 : 0;
      for (const piece of [line.slice(0, cut), line.slice(cut)]) appendFileSync(path, piece);
    }
    this.#written = this.writer.lines.length;
    return this;
  }

  about(agentID: string, about: object): this {
    const path = this.file(agentID).replace(/\.jsonl$/, ".meta.json");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(about));
    return this;
  }

  file(thread = ""): string {
    const own = join(this.config, "projects", "-project", this.nativeID);
    return thread === "" ? `${own}.jsonl` : join(own, "subagents", `agent-${thread}.jsonl`);
  }

  /** The process of this test is alive for as long as the terminal is said to be. */
  start(nativeID = this.nativeID): this {
    mkdirSync(join(this.config, "sessions"), { recursive: true });
    writeFileSync(this.#running, JSON.stringify({ pid: process.pid, sessionId: nativeID }));
    return this;
  }

  stop(): void {
    mkdirSync(join(this.config, "sessions"), { recursive: true });
    rmSync(this.#running, { force: true });
  }

  get #running(): string {
    return join(this.config, "sessions", `${process.pid}.json`);
  }
}
