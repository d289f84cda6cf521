import type { Database, Statement } from "better-sqlite3";
import type { Message, MessageWithParts, Part, PendingBlock, Session, Todo } from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import type { OpenParts } from "./open-parts.js";
import type { ActiveNumber, Checkpoint, StoreStats, UnusedQuery } from "./store.js";

interface Row {
  readonly id: string;
  readonly data: string;
}

export interface SessionQuery {
  readonly directory?: string;
  readonly agent?: string;
  /** False leaves the archived ones out. */
  readonly archived?: boolean;
  readonly before?: string;
  readonly limit: number;
}

export interface MessageQuery {
  readonly before?: string;
  readonly limit: number;
}

/** The questions that rows answer. A part is read from memory while its text is ahead of its row. */
export class RowReader {
  readonly #roots: Statement;
  readonly #children: Statement;
  readonly #unfinished: Statement;
  readonly #unused: Statement;
  readonly #activeNumbers: Statement;
  readonly #rootNumber: Statement;
  readonly #databaseBytes: Statement;
  readonly #messages: Statement;
  readonly #parts: Statement;
  readonly #part: Statement;
  readonly #message: Statement;
  readonly #block: Statement;
  readonly #todos: Statement;
  readonly #blocked: Statement;
  readonly #checkpoint: Statement;
  readonly #sessionPlace: Statement;
  readonly #messagePlace: Statement;

  constructor(
    db: Database,
    private readonly open: OpenParts,
  ) {
    this.#roots = db.prepare(`
      select id, data from session where root_id = id
        and (@directory is null or directory = @directory) and (@agent is null or agent = @agent)
        and (@archived or json_extract(data, '$.time.archived') is null)
        and (@before is null or (created, id) < (@created, @before))
      order by created desc, id desc limit @limit`);
    this.#children = db.prepare("select id, data from session where parent_id = ? order by created, id");
    this.#unfinished = db.prepare(
      "select id, data from session where active = 1 and root_id = id order by created, id",
    );
    // A turn changes messages, and not always the session's record.
    this.#unused = db.prepare(`
      select id, data from session root
      where root_id = id and active = 0 and created < @since
        and (@after is null or (created, id) > (@created, @after)) and (@sessionID is null or id = @sessionID)
        and json_extract(data, '$.metadata.attached') is not true
        and not exists (select 1 from part where blocked = 1 and root_id = root.id)
        and not exists (
          select 1 from session s where s.root_id = root.id and (
            s.active = 1 or json_extract(s.data, '$.time.updated') >= @since or exists (
              select 1 from (select * from message where session_id = s.id order by created desc, id desc limit 1)
              where created >= @since or json_extract(data, '$.time.completed') >= @since
            )
          )
        )
      order by created, id limit @limit`);
    // Both are answered by an index: there may be many sessions, and the whole gateway waits.
    this.#activeNumbers = db.prepare(`
      select agent, json_extract(data, '$.status.type') as status, count(*) as number
      from session where active = 1 and root_id = id group by 1, 2`);
    this.#rootNumber = db.prepare("select count(*) from session where root_id = id").pluck();
    this.#databaseBytes = db
      .prepare("select page_count * page_size from pragma_page_count(), pragma_page_size()")
      .pluck();
    this.#messages = db.prepare(`
      select id, data from message where session_id = @sessionID
        and (@before is null or (created, id) < (@created, @before))
      order by created desc, id desc limit @limit`);
    this.#parts = db.prepare("select id, data from part where message_id = ? order by id");
    this.#part = db.prepare("select id, data from part where id = ?");
    this.#message = db.prepare("select data from message where id = ?").pluck();
    this.#block = db.prepare("select 1 from part where block_id = ?").pluck();
    this.#todos = db.prepare("select data from todo where session_id = ?").pluck();
    this.#blocked = db.prepare("select id, data from part where blocked = 1 order by id");
    this.#checkpoint = db.prepare("select epoch, seq, state, pending from checkpoint where session_id = ?");
    this.#sessionPlace = db.prepare("select created from session where id = ?").pluck();
    this.#messagePlace = db.prepare("select created from message where id = ? and session_id = ?").pluck();
  }

  roots({ directory, agent, archived, before, limit }: SessionQuery): Session[] {
    const created = before === undefined ? null : found(this.#sessionPlace.get(before), before);
    const query = {
      directory: directory ?? null,
      agent: agent ?? null,
      archived: archived === false ? 0 : 1,
      before: before ?? null,
      created,
      limit,
    };
    return parseAll<Session>(this.#roots.all(query));
  }

  children(sessionID: string): Session[] {
    return parseAll<Session>(this.#children.all(sessionID));
  }

  stats(): StoreStats {
    return {
      sessions: this.#rootNumber.get() as number,
      active: this.#activeNumbers.all() as ActiveNumber[],
      bytes: this.#databaseBytes.get() as number,
    };
  }

  unfinished(): Session[] {
    return parseAll<Session>(this.#unfinished.all());
  }

  unused({ since, after, sessionID, limit }: UnusedQuery): Session[] {
    const place = { after: after?.id ?? null, created: after?.time.created ?? null };
    return parseAll<Session>(this.#unused.all({ since, sessionID: sessionID ?? null, limit, ...place }));
  }

  messages(sessionID: string, { before, limit }: MessageQuery): MessageWithParts[] {
    const created = before === undefined ? null : found(this.#messagePlace.get(before, sessionID), before);
    const rows = this.#messages.all({ sessionID, before: before ?? null, created, limit }) as Row[];
    return rows.reverse().map(({ id, data }) => ({ info: JSON.parse(data) as Message, parts: this.#partsOf(id) }));
  }

  #partsOf(messageID: string): Part[] {
    return (this.#parts.all(messageID) as Row[]).map((row) => this.current(row.id, row.data));
  }

  message(messageID: string): Message | undefined {
    const data = this.#message.get(messageID) as string | undefined;
    return data === undefined ? undefined : (JSON.parse(data) as Message);
  }

  hasBlock(blockID: string): boolean {
    return this.#block.get(blockID) !== undefined;
  }

  part(partID: string): Part | undefined {
    const row = this.#part.get(partID) as Row | undefined;
    return row && this.current(partID, row.data);
  }

  /** A part as it is, given its row. */
  current(partID: string, data: string): Part {
    return this.open.get(partID)?.part ?? (JSON.parse(data) as Part);
  }

  todos(sessionID: string): Todo[] {
    const data = this.#todos.get(sessionID) as string | undefined;
    return data === undefined ? [] : (JSON.parse(data) as Todo[]);
  }

  blocks(): PendingBlock[] {
    return (this.#blocked.all() as Row[]).flatMap((row) => pendingBlock(this.current(row.id, row.data)));
  }

  checkpoint(sessionID: string): Checkpoint | undefined {
    const row = this.#checkpoint.get(sessionID) as Record<"epoch" | "seq", number> &
      Record<"state" | "pending", string>;
    if (row === undefined) return undefined;
    const pending: unknown = JSON.parse(row.pending);
    const { epoch, seq } = row;
    return { epoch, seq, state: JSON.parse(row.state) as unknown, ...(pending !== null && { pending }) };
  }
}

function pendingBlock(part: Part): PendingBlock[] {
  if (part.type !== "tool" || part.state.status !== "blocked") return [];
  const { id: partID, sessionID, messageID, callID, tool, state } = part;
  return [{ sessionID, messageID, partID, callID, tool, block: state.block }];
}

function parseAll<T>(rows: unknown[]): T[] {
  return (rows as Row[]).map(({ data }) => JSON.parse(data) as T);
}

/** Whoever pages from something that is gone must not take an empty answer for the end of the list. */
function found(created: unknown, before: string): number {
  if (typeof created === "number") return created;
  throw new GatewayError("not_found", `There is no ${before} to read before`, { field: "before" });
}
