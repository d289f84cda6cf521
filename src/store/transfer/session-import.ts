import type { ExportedBlob, ExportedCheckpoint, ExportLine, Message, Part, Session } from "../../../schemas/index.js";
import { GatewayError } from "../../gateway-error.js";
import type { Blobs } from "../blobs.js";
import type { RowWriter } from "../row-writer.js";
import { blobRef } from "../take-large.js";

type SessionLine = Exclude<ExportLine, { type: "export" | "end" }>;

/** Writes one root session, with all that is below it, within the transaction of its importer. */
export class SessionImport {
  readonly #tree: ReadonlySet<string>;
  readonly #rows: RowWriter;
  readonly #blobs: Blobs;
  readonly #nextRevision: () => number;

  /** `tree`: the root session first, then those below it that came before. */
  constructor(tree: ReadonlySet<string>, rows: RowWriter, blobs: Blobs, nextRevision: () => number) {
    this.#tree = tree;
    this.#rows = rows;
    this.#blobs = blobs;
    this.#nextRevision = nextRevision;
  }

  /** Whether or not the root names a parent: nobody knows that here. */
  begin(root: Session): void {
    this.#putSession(root, null);
  }

  /** Throws for what exists already, or stands in nothing that came before it. */
  take(line: SessionLine): void {
    switch (line.type) {
      case "session":
        return this.#putSession(line.session, line.session.parentID ?? null);
      case "blob":
        return this.#putBlob(line);
      case "checkpoint":
        return this.#putCheckpoint(line);
      case "todos":
        this.#needSession(line.sessionID, "sessionID");
        this.#rows.todos(line.sessionID, line.todos, this.#nextRevision());
        return;
      case "message":
        return this.#putMessage(line.message);
      case "part":
        return this.#putPart(line.part);
    }
  }

  get #rootID(): string | undefined {
    const [root] = this.#tree;
    return root;
  }

  #putSession(session: Session, parentID: string | null): void {
    if (this.#rows.hasSession(session.id)) throw taken("session.id", session.id);
    this.#rows.session(session, { parentID, rootID: this.#rootID ?? session.id }, this.#nextRevision());
  }

  #putMessage(message: Message): void {
    this.#needSession(message.sessionID, "message.sessionID");
    if (this.#rows.sessionOfMessage(message.id) !== undefined) throw taken("message.id", message.id);
    this.#rows.message(message, message.sessionID, this.#nextRevision());
  }

  #putPart(part: Part): void {
    this.#needSession(part.sessionID, "part.sessionID");
    if (this.#rows.messageOfPart(part.id) !== undefined) throw taken("part.id", part.id);
    if (!this.#rows.part(part, part.sessionID, this.#nextRevision(), false)) {
      throw misplaced("part.messageID", `no message ${part.messageID} of ${part.sessionID}`);
    }
    this.#keepBlobs(part);
  }

  #keepBlobs(part: Part): void {
    if (part.type !== "tool" && part.type !== "file") return;
    for (const [pointer, { ref }] of Object.entries(part.blobs ?? {})) {
      if (!this.#blobs.has(ref)) throw misplaced(`part.blobs[${JSON.stringify(pointer)}].ref`, `no blob ${ref}`);
    }
    this.#blobs.keep(part, []);
  }

  #putBlob({ ref, mime, encoding, data }: ExportedBlob): void {
    const bytes = Buffer.from(data, encoding);
    if (blobRef(bytes) !== ref) {
      throw new GatewayError("invalid_params", `the data of the blob ${ref} is not what its ref says`, {
        field: "data",
      });
    }
    this.#blobs.add({ ref, mime, isText: encoding === "utf8", data: bytes });
  }

  /** With nothing under way: opened, it is a session whose process is gone. */
  #putCheckpoint({ sessionID, epoch, seq, state }: ExportedCheckpoint): void {
    if (sessionID !== this.#rootID) throw misplaced("sessionID", `no root session ${sessionID}`);
    this.#rows.checkpoint(sessionID, { epoch, seq, state });
  }

  #needSession(sessionID: string, field: string): void {
    if (!this.#tree.has(sessionID)) throw misplaced(field, `no session ${sessionID} below ${this.#rootID}`);
  }
}

function taken(field: string, id: string): GatewayError {
  return new GatewayError("conflict", `${field} must be new: ${id} exists already`, { field });
}

function misplaced(field: string, what: string): GatewayError {
  return new GatewayError("invalid_params", `${field} must name what came before: there is ${what}`, { field });
}
