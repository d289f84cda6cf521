import type { Database } from "better-sqlite3";
import { EXPORT_VERSION, type ExportHeader, type ExportLine, type Session } from "../../../schemas/index.js";
import { GatewayError } from "../../gateway-error.js";
import { Blobs } from "../blobs.js";
import { readRevision } from "../group-commit.js";
import { type DatabaseOptions, openDatabase } from "../open-database.js";
import { RowWriter } from "../row-writer.js";
import { storageError } from "../storage-error.js";
import { SessionImport } from "./session-import.js";

export interface ImportOptions extends DatabaseOptions {
  /** Leaves the sessions that are there already as they are; otherwise they are a `conflict`. */
  readonly skipExisting: boolean;
  /** Hears of each root session when it is stored, or was left as it is. */
  readonly onSession: (sessionID: string, outcome: "imported" | "skipped") => void;
}

/**
 * Takes an export line by line into a database that it opens or creates. A root session is one transaction: it is stored,
 * with all that is below it, when the next one begins or the export ends. Whatever is thrown loses the session that the
 * line belongs to, and only that.
 */
export class DatabaseImport {
  readonly #options: ImportOptions;
  readonly #db: Database;
  readonly #rows: RowWriter;
  readonly #blobs: Blobs;
  #revision: number;
  #lines = 0;
  #ended = false;
  #rootID: string | undefined;
  /** The root session and those below it that came so far. */
  #tree = new Set<string>();
  /** undefined where the session is skipped. */
  #session: SessionImport | undefined;

  constructor(options: ImportOptions) {
    this.#options = options;
    this.#db = openDatabase(options);
    this.#rows = new RowWriter(this.#db);
    this.#blobs = new Blobs(this.#db, Number.POSITIVE_INFINITY);
    this.#revision = readRevision(this.#db);
  }

  /** Throws `invalid_params` for a line that must not stand here, `conflict` for what is there already. */
  take(line: ExportLine): void {
    try {
      this.#take(line);
      this.#lines += 1;
    } catch (error) {
      throw storageError(error, this.#options.path);
    }
  }

  /** The export has no more lines. Throws when its end is missing: then its last session is not stored. */
  finish(): void {
    if (this.#ended) return;
    throw new GatewayError("invalid_params", `the export is cut off: its end is missing after line ${this.#lines}`, {
      hint: "Export again. The sessions before the last one are imported.",
    });
  }

  /** Gives the database free; a session that is not whole is forgotten. */
  close(): void {
    if (this.#db.inTransaction) this.#db.exec("rollback");
    this.#db.close();
  }

  #take(line: ExportLine): void {
    if (this.#ended) throw new GatewayError("invalid_params", "there is more after the end of the export");
    if (this.#lines === 0) return checkHeader(line);
    switch (line.type) {
      case "export":
        throw new GatewayError("invalid_params", "a second export begins here", { hint: "Import one at a time." });
      case "end":
        return this.#end(line.lines);
      case "session":
        return this.#takeSession(line.session);
      default:
        if (this.#rootID === undefined)
          throw new GatewayError("invalid_params", `a ${line.type} is before any session`);
        this.#session?.take(line);
    }
  }

  #takeSession(session: Session): void {
    if (session.parentID === undefined || !this.#tree.has(session.parentID)) return this.#begin(session);
    this.#session?.take({ type: "session", session });
    this.#tree.add(session.id);
  }

  #begin(root: Session): void {
    this.#commit();
    this.#rootID = root.id;
    this.#tree = new Set([root.id]);
    if (this.#rows.hasSession(root.id)) {
      if (this.#options.skipExisting) return;
      throw new GatewayError("conflict", `the session ${root.id} exists already`, {
        field: "session.id",
        hint: "--skip-existing leaves those that are there as they are.",
      });
    }
    this.#db.exec("begin immediate");
    this.#session = new SessionImport(this.#tree, this.#rows, this.#blobs, () => ++this.#revision);
    this.#session.begin(root);
  }

  #commit(): void {
    if (this.#rootID === undefined) return;
    if (this.#session) this.#db.exec("commit");
    this.#options.onSession(this.#rootID, this.#session ? "imported" : "skipped");
    this.#rootID = undefined;
    this.#session = undefined;
  }

  #end(lines: number): void {
    if (lines !== this.#lines) {
      const message = `the export had ${lines} lines when it was made, and ${this.#lines} are here`;
      throw new GatewayError("invalid_params", message, { field: "lines", hint: "Export again." });
    }
    this.#commit();
    this.#ended = true;
  }
}

function checkHeader(line: ExportLine): asserts line is ExportHeader {
  if (line.type !== "export") {
    throw new GatewayError("invalid_params", "this is no export: its first line is not the header", { field: "type" });
  }
  if (line.version > EXPORT_VERSION) {
    const message = `the export has version ${line.version}; this agentwire reads versions up to ${EXPORT_VERSION}`;
    const hint = `Import it with agentwire ${line.agentwire} or a newer one.`;
    throw new GatewayError("not_supported", message, { field: "version", hint });
  }
}
