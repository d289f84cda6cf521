import type { Database, Statement } from "better-sqlite3";
import type { Message, Part, Session, Todo } from "../../schemas/index.js";
import type { Checkpoint } from "./store.js";

export interface SessionPlace {
  readonly parentID: string | null;
  readonly rootID: string;
}

/**
 * One prepared statement per kind of write. Each says whether it changed anything: a row whose parent is unknown is
 * not written, nor one that is stored in the same words already.
 */
export class RowWriter {
  readonly #session: Statement;
  readonly #message: Statement;
  readonly #part: Statement;
  readonly #partText: Statement;
  readonly #todos: Statement;
  readonly #checkpoint: Statement;
  readonly #removeSession: Statement;
  readonly #removeMessage: Statement;
  readonly #removePart: Statement;
  readonly #hasSession: Statement;
  readonly #sessionOfMessage: Statement;
  readonly #messageOfPart: Statement;

  constructor(db: Database) {
    // A session keeps the place it was announced at; its rows carry the root.
    this.#session = db.prepare(`
      insert into session (id, parent_id, root_id, rev, created, directory, agent, active, data)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?)
      on conflict (id) do update set rev = excluded.rev, created = excluded.created, directory = excluded.directory,
        agent = excluded.agent, active = excluded.active, data = excluded.data
      where session.data <> excluded.data`);
    this.#message = db.prepare(`
      insert into message (id, session_id, root_id, rev, created, data)
      select ?, s.id, s.root_id, ?, ?, ? from session s where s.id = ?
      on conflict (id) do update set rev = excluded.rev, created = excluded.created, data = excluded.data
      where message.session_id = excluded.session_id and message.data <> excluded.data`);
    this.#part = db.prepare(`
      insert into part (id, message_id, session_id, root_id, rev, blocked, block_id, data)
      select ?, m.id, m.session_id, m.root_id, ?, ?, ?, ? from message m where m.id = ? and m.session_id = ?
      on conflict (id) do update set rev = excluded.rev, blocked = excluded.blocked,
        block_id = coalesce(excluded.block_id, part.block_id), data = excluded.data
      where part.message_id = excluded.message_id and (part.data <> excluded.data or ?)`);
    this.#partText = db.prepare("update part set rev = ?, data = ? where id = ?");
    // No row and an empty list are the same.
    this.#todos = db.prepare(`
      insert into todo (session_id, root_id, rev, data)
      select s.id, s.root_id, ?, ? from session s
      where s.id = ? and (? or exists (select 1 from todo t where t.session_id = s.id))
      on conflict (session_id) do update set rev = excluded.rev, data = excluded.data
      where todo.data <> excluded.data`);
    this.#checkpoint = db.prepare(`
      insert into checkpoint (session_id, epoch, seq, state, pending)
      select s.id, ?, ?, ?, ? from session s where s.id = ?
      on conflict (session_id) do update set epoch = excluded.epoch, seq = excluded.seq, state = excluded.state,
        pending = excluded.pending`);
    this.#removeSession = db.prepare("delete from session where id = ?");
    this.#removeMessage = db.prepare("delete from message where id = ? and session_id = ?");
    this.#removePart = db.prepare("delete from part where id = ? and message_id = ? and session_id = ?");
    this.#hasSession = db.prepare("select 1 from session where id = ?").pluck();
    this.#sessionOfMessage = db.prepare("select session_id from message where id = ?").pluck();
    this.#messageOfPart = db.prepare("select message_id from part where id = ?").pluck();
  }

  session(info: Session, { parentID, rootID }: SessionPlace, rev: number): boolean {
    const active = info.status.type === "idle" ? 0 : 1;
    const { id, time, directory, agent } = info;
    const row = [id, parentID, rootID, rev, time.created, directory, agent, active, JSON.stringify(info)];
    return this.#session.run(row).changes > 0;
  }

  message(info: Message, sessionID: string, rev: number): boolean {
    return this.#message.run(info.id, rev, info.time.created, JSON.stringify(info), sessionID).changes > 0;
  }

  /** `force`: the row is older than what was heard of the part, so that even the same words are a change. */
  part(part: Part, sessionID: string, rev: number, force: boolean): boolean {
    const blocked = part.type === "tool" && part.state.status === "blocked" ? 1 : 0;
    const row = [part.id, rev, blocked, blockOf(part), JSON.stringify(part), part.messageID, sessionID, force ? 1 : 0];
    return this.#part.run(row).changes > 0;
  }

  /** What deltas made of a part. Returns the number of characters written. */
  partText(part: Part, rev: number): number {
    const data = JSON.stringify(part);
    this.#partText.run(rev, data, part.id);
    return data.length;
  }

  todos(sessionID: string, todos: readonly Todo[], rev: number): boolean {
    return this.#todos.run(rev, JSON.stringify(todos), sessionID, todos.length > 0 ? 1 : 0).changes > 0;
  }

  checkpoint(sessionID: string, { epoch, seq, state, pending = null }: Checkpoint): void {
    this.#checkpoint.run(epoch, seq, JSON.stringify(state), JSON.stringify(pending), sessionID);
  }

  removeSession(sessionID: string): void {
    this.#removeSession.run(sessionID);
  }

  removeMessage(sessionID: string, messageID: string): boolean {
    return this.#removeMessage.run(messageID, sessionID).changes > 0;
  }

  removePart(sessionID: string, messageID: string, partID: string): boolean {
    return this.#removePart.run(partID, messageID, sessionID).changes > 0;
  }

  hasSession(sessionID: string): boolean {
    return this.#hasSession.get(sessionID) !== undefined;
  }

  sessionOfMessage(messageID: string): string | undefined {
    return this.#sessionOfMessage.get(messageID) as string | undefined;
  }

  messageOfPart(partID: string): string | undefined {
    return this.#messageOfPart.get(partID) as string | undefined;
  }
}

/** The last block of a tool, waiting or decided. */
function blockOf(part: Part): string | null {
  if (part.type !== "tool" || part.state.status === "pending") return null;
  return part.state.block?.id ?? null;
}
